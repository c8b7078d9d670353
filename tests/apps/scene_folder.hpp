// A temporary folder with a small scene in it: a soft bar of 4 x 2 x 2 cubes, held at one end, falling at the other.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "compiler/support/file.hpp"
#include "tests/apps/program.hpp"

namespace proxima::test {

using Json = nlohmann::ordered_json;

class SceneFolder : public testing::Test {
 protected:
  static Json bar(int steps) {
    auto scene = Json::parse(R"({
      "mesh": {"box": {"cells": [4, 2, 2], "lower": [0, 0, 0], "upper": [0.2, 0.1, 0.1]}},
      "materials": [{"name": "soft", "energy": "bar.cpp", "density": 1000, "parameters": {"E": 3e4, "nu": 0.3}}],
      "dirichlet": [{"select": {"box": {"lower": [0, 0, 0], "upper": [0, 0.1, 0.1]}}}],
      "gravity": [0, 0, -9.81],
      "time": {"step": 0.01, "steps": 1}})");
    scene["time"]["steps"] = steps;
    return scene;
  }

  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("proxima_apps_" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    write_file(folder / "bar.cpp", read_file(PROXIMA_SOURCE_DIR "/dsl_examples/neo_hookean.cpp"));
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void write_scene(const Json& scene, const std::string& name = "scene.json") const {
    write_file(folder / name, scene.dump(2));
  }
  Result proxima(const std::vector<std::string>& arguments, const std::function<bool()>& enough = {},
                 const std::vector<std::string>& launcher = {}) const {
    return run_program(arguments, folder, enough, launcher);
  }

  std::filesystem::path folder;
};

}  // namespace proxima::test
