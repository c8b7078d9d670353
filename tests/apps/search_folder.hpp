// A scene that looks for something, run as a user runs it: its recording first, where it has one, then the search.
#pragma once

#include <sstream>

#include "tests/apps/scene_folder.hpp"

namespace proxima::test {

class SearchFolder : public SceneFolder {
 protected:
  // `recorded`: the scene that makes the recording a loss asks for. The loss has to fall by this factor at least, and
  // what has a truth to be found to a thousandth of it.
  void expect_found(Json scene, const Json& recorded, double least_fall) const {
    if (scene["loss"][0].contains("trajectory")) {
      write_scene(recorded);
      ASSERT_EQ(proxima({"run", "scene.json", "-o", "recorded"}).status, 0);
      scene["loss"][0]["trajectory"] = (folder / "recorded").string();
    }
    write_scene(scene);
    const auto result = proxima({"optimize", "scene.json", "-o", "found"});
    ASSERT_EQ(result.status, 0) << result.out << result.err;
    std::istringstream table(read_file(folder / "found/loss.csv"));
    std::string line;
    std::getline(table, line);
    std::getline(table, line);
    const double first = std::stod(line.substr(line.find(',') + 1));
    const auto found = Json::parse(read_file(folder / "found/result.json"));
    EXPECT_LT(found["loss"].get<double>() * least_fall, first) << line;
    for (const auto& variable : found["variables"])
      if (variable.contains("truth")) {
        EXPECT_NEAR(variable["found"].get<double>() / variable["truth"].get<double>(), 1, 1e-3) << variable["name"];
      }
  }
};

}  // namespace proxima::test
