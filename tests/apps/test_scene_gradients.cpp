// proxima gradcheck of the first steps of every scene in dsl_examples that is without contact (those with it are in
// test_contact_scenes), by every input that it has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

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
// By these alone real meshes take seconds, by all minutes.
const std::set<std::string> but_parameters_and_velocities = {
    "positions", "forces", "density", "damping", "directions", "gravity", "loads", "motion", "rest_shape"};
const std::map<std::string, Exception> exceptions = {
    {"bunny_identify", {0, but_parameters_and_velocities}},
    {"bunny_recorded", {0, but_parameters_and_velocities}},
    {"plant_identify", {0, but_parameters_and_velocities}},
    {"plant_recorded", {0, but_parameters_and_velocities}},
    // Steps of seconds forget where the body starts: nothing is left of that input but rounding.
    {"graded", {0.002, {}}},
    {"hang", {0.002, {}}},
    {"tied", {0.03, {}}},
    // Fibres carry tension only: at rest all of them are at the kink between taut and slack.
    {"fibres", {0, {"directions"}}},
    // Eighteen materials: by these two as well it takes a minute.
    {"design_tendon", {0, {"density", "damping"}}},
    // The tables of drag and thrust have kinks, and at rest in water every angle of attack is at one.
    {"swim", {0, {"positions", "loads"}}},
};

// Besides scenes: what searches start from and what they are compared with.
const std::set<std::string> folders = {"bunny", "design", "plant", "wobble"};

class SceneGradients : public SceneFolder, public testing::WithParamInterface<std::string> {
 protected:
  // "beam" of the folder scenes, or "design_shape" of the folder design.
  Json scene(const std::string& name) const {
    const std::size_t end = name.find('_');
    const bool other = end != std::string::npos && folders.contains(name.substr(0, end));
    auto result = Json::parse(
        model::read_scene(other ? scene_file(name.substr(end + 1), name.substr(0, end)) : scene_file(name)).resolved);
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
  // A real mesh lies beside the project, or is not there.
  if (const std::string file = checked.value("/mesh/file"_json_pointer, ""); !file.empty() && !fs::exists(file))
    GTEST_SKIP() << "no mesh " << file;
  write_scene(checked);
  const Result result = proxima({"gradcheck", "scene.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  const auto add = [&](const std::string& folder, const std::string& prefix) {
    for (const auto& entry : fs::directory_iterator(PROXIMA_SOURCE_DIR "/dsl_examples/" + folder))
      if (entry.path().extension() == ".json") result.push_back(prefix + entry.path().stem().string());
  };
  add("scenes", "");
  for (const std::string& folder : folders) add(folder, folder + "_");
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
