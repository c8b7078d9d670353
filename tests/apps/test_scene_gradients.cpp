// proxima gradcheck of the first steps of every scene in dsl_examples/scenes, by every input that it has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "runtime/model/scene.hpp"
#include "tests/apps/scene_folder.hpp"
#include "tests/apps/scene_run.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;

// What a scene needs to be tested, and why.
struct Exception {
  double time_step = 0;           // s, 0: the scene's
  std::set<std::string> without;  // groups of inputs
};
const std::map<std::string, Exception> exceptions = {
    // Steps of seconds forget where the body starts: nothing is left of that input but rounding.
    {"graded", {0.002, {}}},
    {"hang", {0.002, {}}},
    {"tied", {0.03, {}}},
    // Fibres carry tension only: at rest all of them are at the kink between taut and slack.
    {"fibres", {0, {"directions"}}},
    // The tables of drag and thrust have kinks, and at rest in water every angle of attack is at one.
    {"swim", {0, {"positions", "loads"}}},
};

class SceneGradients : public SceneFolder, public testing::WithParamInterface<std::string> {
 protected:
  Json scene(const std::string& name) const {
    auto result = Json::parse(model::read_scene(scene_file(name)).resolved);
    result["time"]["steps"] = 3;
    result["loss"] =
        Json::parse(R"([{"nodes": {"select": "all", "displacement": [0.01, 0.003, 0]}, "frames": "last"}])");
    return result;
  }
};

TEST_P(SceneGradients, PassTheirCheck) {
  auto checked = scene(GetParam());
  if (const auto found = exceptions.find(GetParam()); found != exceptions.end()) {
    const auto& [time_step, without] = found->second;
    if (time_step > 0) checked["time"]["step"] = time_step;
    for (const char* input : {"positions", "velocities", "forces", "parameters", "density", "damping", "directions",
                              "gravity", "loads", "motion", "controllers", "rest_shape"})
      if (!without.empty() && !without.contains(input)) checked["gradcheck"]["inputs"].push_back(input);
  }
  write_scene(checked);
  const Result result = proxima({"gradcheck", "scene.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& entry : fs::directory_iterator(scene_file("beam").parent_path()))
    if (entry.path().extension() == ".json") result.push_back(entry.path().stem().string());
  std::sort(result.begin(), result.end());
  return result;
}
INSTANTIATE_TEST_SUITE_P(Scenes, SceneGradients, testing::ValuesIn(names()),
                         [](const auto& chosen) { return chosen.param; });

using ProximalForm = SceneGradients;

// By the weight of the form, too.
TEST_F(ProximalForm, IsAMaterialWithItsOwnGradient) {
  auto beam = scene("beam");
  beam["materials"][0]["form"] = "proximal";
  beam["materials"][0]["parameters"]["proximal_weight"] = 3;
  beam["gradcheck"]["inputs"] = {"parameters", "density", "rest_shape"};
  write_scene(beam);
  const Result result = proxima({"gradcheck", "scene.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, testing::HasSubstr("proximal_weight["));
}

using RestShapeGradient = SceneGradients;

TEST_F(RestShapeGradient, GoesThroughTheHistoryOfASolid) {
  auto forge = scene("forge");
  forge["gradcheck"]["inputs"] = {"rest_shape"};
  write_scene(forge);
  const Result result = proxima({"gradcheck", "scene.json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, testing::HasSubstr("rest_shape: passed"));
}

}  // namespace
}  // namespace proxima::test
