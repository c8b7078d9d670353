// What tests of scene files share: a folder of their own for each, and the message of an Error.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/model/build.hpp"
#include "tests/model/unit_model.hpp"

namespace proxima::model::test {

class SceneFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("proxima_model_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  // The message of the Error that a call ends with, "" when it ends well.
  template <class Call>
  static std::string fault_of(Call call) {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  // The model of a scene that is written into the folder, all of whose energies are named_energy().
  Model build_named(const nlohmann::json& scene, const FunctionLoader& load_function) const {
    write_file(folder / "scene.json", scene.dump());
    return build_model(
               read_scene(folder / "scene.json"),
               [](const std::filesystem::path&, const std::string&) { return named_energy(); }, load_function)
        .model;
  }

  std::filesystem::path folder;
};

}  // namespace proxima::model::test
