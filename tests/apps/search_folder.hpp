// A scene that looks for something, run as a user runs it: its recording first, where it has one, then the search.
#pragma once

#include <array>
#include <cmath>
#include <sstream>

#include "tests/apps/scene_folder.hpp"

namespace proxima::test {

class SearchFolder : public SceneFolder {
 protected:
  // The loss at first and the one that was found.
  std::array<double, 2> search(const Json& scene) const {
    write_scene(scene);
    const auto result = proxima({"optimize", "scene.json", "-o", "found"});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    if (result.status != 0) return {NAN, NAN};
    std::istringstream table(read_file(folder / "found/loss.csv"));
    std::string line;
    std::getline(table, line);
    std::getline(table, line);
    return {std::stod(line.substr(line.find(',') + 1)), found()["loss"].get<double>()};
  }

  // `recorded`: the scene that makes the recording a loss asks for. The loss has to fall by this factor at least, and
  // what has a truth to be found to a thousandth of it.
  void expect_found(Json scene, const Json& recorded, double least_fall) const {
    if (scene["loss"][0].contains("trajectory")) {
      write_scene(recorded);
      ASSERT_EQ(proxima({"run", "scene.json", "-o", "recorded"}).status, 0);
      scene["loss"][0]["trajectory"] = (folder / "recorded").string();
    }
    const auto [first, last] = search(scene);
    EXPECT_LT(last * least_fall, first);
    if (std::isnan(last)) return;
    const auto result = found();
    for (const auto& variable : result["variables"])
      if (variable.contains("truth")) {
        EXPECT_NEAR(variable["found"].get<double>() / variable["truth"].get<double>(), 1, 1e-3) << variable["name"];
      }
  }

 private:
  Json found() const { return Json::parse(read_file(folder / "found/result.json")); }
};

}  // namespace proxima::test
