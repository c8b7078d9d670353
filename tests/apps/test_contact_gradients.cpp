// proxima gradcheck of scenes in which the contacts of a step are not those that are found from its end alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apps/scene_folder.hpp"
#include "tests/apps/scene_run.hpp"

namespace proxima::test {
namespace {

class ContactGradients : public SceneFolder {};

// Two cubes, one of tetrahedra and one of hexahedra, meet nearly flat and sink into one another by a tenth of a cell:
// what an iteration has met presses to the end of the step, though nobody would meet it on the straight way there.
TEST_F(ContactGradients, CubesThatSinkIntoOneAnother) {
  auto scene = Json::parse(R"({
    "bodies": [
      {"name": "A", "mesh": {"box": {"cells": [2, 2, 2], "lower": [0, 0, 0], "upper": [0.1, 0.1, 0.1]}},
       "materials": [{"name": "a", "density": 1000, "parameters": {"E": 5e4, "nu": 0.35}}],
       "initial": {"velocity": [1, 0, 0]}},
      {"name": "B", "mesh": {"box": {"cells": [3, 3, 3], "lower": [0, 0, 0], "upper": [0.1, 0.1, 0.1],
                                     "elements": "hexahedra"}},
       "place": {"translate": [0.105, 0.013, 0.021], "rotate": [0.1, 0.05, 0.02]},
       "materials": [{"name": "b", "density": 1000, "parameters": {"E": 3e4, "nu": 0.35}}]}],
    "contact": {"bodies": true, "friction": 0.3, "penalty": {"stiffness": 3000, "slip_speed": 0.01}},
    "solver": {"contact": "penalty"},
    "time": {"step": 0.005, "steps": 20},
    "loss": [{"nodes": {"select": {"body": "B"}, "displacement": [0.1, 0, 0]}, "frames": "last"}],
    "gradcheck": {"inputs": ["velocities", "contact"]}})");
  for (auto& body : scene["bodies"])
    body["materials"][0]["energy"] = PROXIMA_SOURCE_DIR "/dsl_examples/stable_neo_hookean.cpp";
  write_scene(scene);
  const Result result = proxima({"gradcheck", "scene.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
}

}  // namespace
}  // namespace proxima::test
