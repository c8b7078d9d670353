// Worlds of one mesh that are fitted side by side: the bytes of the same scenes one after the other, going on where an
// optimisation ended, and what does not go together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apps/optimize_folder.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FittedWorlds : public Optimize {
 protected:
  // Falling, thrown aside, and driven at the held end; each with its recording.
  void SetUp() override {
    Optimize::SetUp();
    scene_["falling"] = search(8, 2);
    scene_["thrown"] = search(8, 2);
    scene_["thrown"]["gravity"] = {0, 3, 0};
    scene_["thrown"]["initial"]["velocity"] = {0, 0, 0.2};
    scene_["driven"] = search(8, 2);
    scene_["driven"]["dirichlet"][0]["motion"] =
        Json::parse(R"([{"time": 0}, {"time": 0.05, "translation": [0, 0.01, 0]}])");
    for (auto& [name, scene] : scene_) {
      Json recorded = scene;
      for (const char* part : {"loss", "optimize"}) recorded.erase(part);
      write_scene(recorded, "recording.json");
      ASSERT_EQ(proxima({"run", "recording.json", "-o", name + "_recorded"}).status, 0);
      scene["loss"][0]["trajectory"] = name + "_recorded";
    }
    scene_["driven"]["loss"][0]["weight"] = 3;
    write();
  }
  void write() const {
    for (const auto& [name, scene] : scene_) write_scene(scene, name + ".json");
  }
  static std::vector<std::string> into(const std::string& name, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"optimize", "falling.json", "--worlds", "thrown.json", "driven.json", "-o", name};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // A second world that does not go with the first.
  void expect_misfit(const Json& other, const std::string& words) const {
    write_scene(other, "other.json");
    expect_refused({"optimize", "falling.json", "--worlds", "other.json", "-o", "refused"}, words);
    EXPECT_FALSE(fs::exists(folder / "refused"));
  }

  std::map<std::string, Json> scene_;
};

TEST_F(FittedWorlds, FindWhatScenesOneAfterTheOtherFind) {
  const auto apart = proxima({"optimize", "falling.json", "thrown.json", "driven.json", "-o", "apart"});
  ASSERT_EQ(apart.status, 0) << apart.err;
  EXPECT_THAT(apart.out, testing::Not(HasSubstr("passes over the factor")));
  const auto result = proxima(into("together"));
  ASSERT_EQ(result.status, 0) << result.err;
  expect_same("together", "apart");
  for (const char* name : {"falling", "thrown", "driven"})
    EXPECT_TRUE(fs::exists(folder / "together" / name / "trajectory.bin"));
  const auto at = result.out.find("3 worlds: ");
  ASSERT_NE(at, std::string::npos) << result.out;
  int solves = 0, passes = 0;
  ASSERT_EQ(std::sscanf(result.out.c_str() + at, "3 worlds: %d A-solves in %d passes", &solves, &passes), 2);
  EXPECT_GT(2 * solves, 5 * passes);
}

// A world that touches something solves by itself.
TEST_F(FittedWorlds, MayTouch) {
  scene_["driven"]["obstacles"] =
      Json::parse(R"([{"name": "ground", "plane": {}, "place": {"translate": [0, 0, -0.002]}, "friction": 0.2}])");
  scene_["falling"]["optimize"]["starts"] = 1;
  write();
  ASSERT_EQ(proxima({"optimize", "falling.json", "thrown.json", "driven.json", "-o", "apart"}).status, 0);
  const auto result = proxima(into("together"));
  ASSERT_EQ(result.status, 0) << result.err;
  expect_same("together", "apart");
  const auto end = Json::parse(read_file(folder / "together/driven/summary.json"))["last_step"];
  EXPECT_GT(end["contacts_stick"].get<double>() + end["contacts_slip"].get<double>(), 0) << "touches nothing";
}

TEST_F(FittedWorlds, GoOnAfterEveryEvaluation) {
  ASSERT_EQ(proxima(into("whole", {"--threads", "2"})).status, 0);
  for (int evaluations = 1; evaluations <= 8; ++evaluations) {
    scene_["falling"]["optimize"]["max_evaluations"] = evaluations;
    write();
    const auto result = proxima(into("parts", {"--resume", "--threads", "1"}));
    ASSERT_EQ(result.status, 0) << result.err;
  }
  expect_same("parts", "whole");
  expect_refused({"optimize", "falling.json", "thrown.json", "driven.json", "-o", "parts", "--resume"},
                 "another scene");
}

TEST_F(FittedWorlds, MustBeOfOneMeshAndHaveTheSameVariables) {
  const Json& good = scene_["thrown"];
  Json other = good;
  other["dirichlet"][0]["select"]["box"]["upper"] = {0, 0.1, 0.05};
  expect_misfit(other,
                "other: worlds that run together have one mesh and the same held nodes; these are not those of "
                "falling");
  other = good;
  other["optimize"]["variables"].erase(1);
  expect_misfit(other,
                "other: worlds that are fitted side by side have the same variables; 'nu' of another is missing "
                "here");
  other = good;
  other["optimize"]["variables"].push_back(
      Json::parse(R"({"parameter": "density", "start": 1500, "lower": 500, "upper": 2000})"));
  expect_misfit(other, "falling: worlds that are fitted side by side have the same variables; 'density'");
  other = good;
  other["optimize"]["variables"][0]["start"] = 1e5;
  expect_misfit(other, "the variable 'E' is in both and must have the same");
  expect_refused({"optimize", "falling.json", "thrown.json", "--worlds", "driven.json", "-o", "refused"},
                 "--worlds goes with one scene, and 2 are given");
  expect_refused({"optimize", "falling.json", "--worlds", "falling.json", "-o", "refused"}, "called 'falling', too");
  EXPECT_FALSE(fs::exists(folder / "refused"));
}

}  // namespace
}  // namespace proxima::test
