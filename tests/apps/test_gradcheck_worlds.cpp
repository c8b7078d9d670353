// proxima gradcheck of several worlds of one mesh: the gradient of the sum of their losses, and what does not go
// together.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "tests/apps/scene_folder.hpp"

namespace proxima::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class CheckedWorlds : public SceneFolder {
 protected:
  // One that falls, one of another material that is pulled and swings in the end, one that begins where an optimisation
  // would.
  void SetUp() override {
    SceneFolder::SetUp();
    Json falling = bar(3);
    falling["loss"] = Json::parse(R"([{"centre_of_mass": [0.12, 0.02, 0.01]}])");
    falling["solver"]["factor"] = "fp64";
    Json pulled = falling;
    pulled["materials"][0]["parameters"]["E"] = 5e4;
    pulled["forces"] =
        Json::parse(R"([{"select": {"box": {"lower": [0.2, 0, 0], "upper": [0.2, 0.1, 0.1]}}, "total": [0.3, 0, 1]}])");
    pulled["loss"][0]["weight"] = 4;
    pulled["time"]["steps"] = 5;
    Json begun = falling;
    begun["initial"]["velocity"] = {0, 0.3, 0};
    begun["optimize"]["variables"] =
        Json::parse(R"([{"parameter": "E", "start": 2e4, "lower": 1e4, "upper": 1e5, "scale": "log"}])");
    scenes_ = {{"falling", falling}, {"pulled", pulled}, {"begun", begun}};
    write();
  }
  void write() const {
    for (const auto& [name, scene] : scenes_) write_scene(scene, name + ".json");
  }
  std::map<std::string, Json> checked(std::vector<std::string> words, const std::string& output) const {
    words.insert(words.begin(), "gradcheck");
    words.insert(words.end(), {"-o", output});
    const auto result = proxima(words);
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    out_ = result.out;
    std::map<std::string, Json> found;
    order_.clear();
    for (const Json& entry : Json::parse(read_file(folder / output / "gradcheck.json"))) {
      EXPECT_TRUE(entry["passed"]) << entry["input"] << "\n" << result.out;
      found[entry["input"]] = entry;
      order_.push_back(entry["input"]);
    }
    return found;
  }
  static double slope_of(const Json& entry) { return entry.value("slope", 0.0); }  // none where there is no dependence
  void expect_refused(const std::string& words) const {
    const auto result = proxima({"gradcheck", "falling.json", "--worlds", "pulled.json", "-o", "refused"});
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, StartsWith("proxima: "));
    EXPECT_THAT(result.err, HasSubstr(words));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "refused"));
  }

  std::map<std::string, Json> scenes_;
  mutable std::string out_;
  mutable std::vector<std::string> order_;
};

TEST_F(CheckedWorlds, TheSumHasTheGradientsOfAll) {
  const auto sum = checked({"falling.json", "--worlds", "pulled.json", "begun.json"}, "together");
  EXPECT_THAT(order_, ElementsAre("initial positions", "initial velocities", "nodal forces", "E[soft]", "nu[soft]",
                                  "density[soft]", "mass_damping[soft]", "gravity", "rest_shape", "force[0]"));
  const auto at = out_.find("3 worlds: ");
  ASSERT_NE(at, std::string::npos) << out_;
  int solves = 0, passes = 0;
  ASSERT_EQ(std::sscanf(out_.c_str() + at, "3 worlds: %d A-solves in %d passes", &solves, &passes), 2);
  EXPECT_GT(2 * solves, 3 * passes);

  // Each world's directions are those of the seed after that of the world before.
  std::map<std::string, double> slopes;
  for (auto [name, seed] : {std::pair{"falling", 1}, {"pulled", 2}, {"begun", 3}}) {
    scenes_[name]["gradcheck"]["seed"] = seed;
    write();
    for (const auto& [input, entry] : checked({std::string(name) + ".json"}, name)) slopes[input] += slope_of(entry);
  }
  EXPECT_EQ(slopes.size(), sum.size());
  slopes.erase("rest_shape");  // hardly moves the losses: its directions are made longer, each by another factor
  for (const auto& [input, slope] : slopes)
    EXPECT_NEAR(slope_of(sum.at(input)), slope, 1e-8 * std::abs(slope)) << input;
}

TEST_F(CheckedWorlds, WhatTheFirstAsksForIsTested) {
  scenes_["falling"]["gradcheck"]["inputs"] = {"gravity"};
  scenes_["pulled"]["gradcheck"]["inputs"] = {"parameters"};
  write();
  checked({"falling.json", "--worlds", "pulled.json"}, "together");
  EXPECT_THAT(order_, ElementsAre("gravity"));
}

TEST_F(CheckedWorlds, MustBeOfOneMesh) {
  const Json good = scenes_["pulled"];
  scenes_["pulled"]["dirichlet"][0]["select"]["box"]["upper"] = {0, 0.1, 0.05};
  write();
  expect_refused(
      "pulled: worlds that run together have one mesh and the same held nodes; these are not those of falling");
  scenes_["pulled"] = good;
  scenes_["pulled"].erase("loss");
  write();
  expect_refused("pulled.json: ");
  scenes_["pulled"] = good;
  scenes_["pulled"]["optimize"] = Json::parse(R"({"variables": [{"parameter": "Q", "lower": 0, "upper": 1}]})");
  write();
  expect_refused("pulled.json: optimize.variables[0]");
}

}  // namespace
}  // namespace proxima::test
