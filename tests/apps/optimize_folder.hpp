// A folder with the recorded motion of a bar, and scenes that look for its material.
#pragma once

#include <gmock/gmock.h>

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/apps/scene_folder.hpp"

namespace proxima::test {

class Optimize : public SceneFolder {
 protected:
  Json search(int max_evaluations, int starts, const std::string& method = "lbfgsb") const {
    auto scene = bar(5);
    scene["output"]["every"] = 0;
    scene["loss"] = Json::parse(R"([{"trajectory": "recorded"}])");
    scene["optimize"] = Json::parse(R"({"variables": [
      {"parameter": "E", "start": 1.2e5, "lower": 5e3, "upper": 5e5, "scale": "log", "truth": 3e4},
      {"parameter": "nu", "start": 0.1, "lower": 0, "upper": 0.45, "truth": 0.3}]})");
    scene["optimize"]["max_evaluations"] = max_evaluations;
    scene["optimize"]["starts"] = starts;
    scene["optimize"]["method"] = method;
    return scene;
  }

  void SetUp() override {
    SceneFolder::SetUp();
    write_scene(bar(5));
    ASSERT_EQ(proxima({"run", "scene.json", "-o", "recorded"}).status, 0);
  }

  // Everything but seconds.
  std::map<std::string, std::string> results(const std::string& name) const {
    std::map<std::string, std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / name)) {
      const auto file = std::filesystem::relative(entry, folder / name).string();
      if (!entry.is_regular_file() || file.ends_with("steps.csv") || file.ends_with("summary.json") ||
          file == "evaluations.bin" || file.ends_with("scene.json"))
        continue;
      found[file] = file == "loss.csv" ? without_seconds(read_file(entry)) : read_file(entry);
    }
    return found;
  }

  static std::string without_seconds(const std::string& table) {
    std::istringstream lines(table);
    std::string result;
    for (std::string line; std::getline(lines, line); result += line + "\n")
      for (int column = 0; column < 2; ++column) line.resize(line.rfind(','));
    return result;
  }

  void expect_same(const std::string& name, const std::string& other) const {
    const auto found = results(name), wanted = results(other);
    EXPECT_EQ(found.size(), wanted.size());
    EXPECT_GE(wanted.size(), 4u);
    for (const auto& [file, content] : wanted)
      EXPECT_TRUE(found.contains(file) && found.at(file) == content) << name << "/" << file << " differs";
  }

  int evaluations(const std::string& name) const {
    const auto file = folder / name / "result.json";
    return std::filesystem::exists(file) ? Json::parse(read_file(file))["evaluations"].get<int>() : 0;
  }

  void expect_refused(const std::vector<std::string>& arguments, const std::string& words) const {
    const auto result = proxima(arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, testing::HasSubstr(words));
  }
};

}  // namespace proxima::test
