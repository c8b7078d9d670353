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

// A block that a ball presses upon, in equilibrium, where it does not matter how stiff all of it is: what linear solves
// leave of that gradient is no error. Nor has a table that ends early an order.
TEST_F(ContactGradients, OfWhatDoesNotMatterAreZero) {
  auto scene = Json::parse(R"({
    "mesh": {"box": {"cells": [3, 3, 3], "lower": [-0.05, -0.05, 0], "upper": [0.05, 0.05, 0.1]}},
    "materials": [{"name": "b", "density": 1000, "parameters": {"E": 2e4, "nu": 0.35}}],
    "dirichlet": [{"select": {"box": {"lower": [-1, -1, -1], "upper": [1, 1, 0.001]}}}],
    "obstacles": [{"name": "ball", "sphere": {"radius": 0.05}, "friction": 0.4, "motion": [
      {"time": 0, "translation": [0.01, 0.005, 0.151]},
      {"time": 1, "translation": [0.03, 0.005, 0.13], "rotation": [0, 0.3, 0]}]}],
    "time": {"step": 0.1, "steps": 10, "integrator": "quasi_static"},
    "loss": [{"nodes": {"select": "all", "displacement": [0.01, 0, 0]}, "frames": "last"}],
    "gradcheck": {"inputs": ["parameters"]}})");
  scene["materials"][0]["energy"] = PROXIMA_SOURCE_DIR "/dsl_examples/stable_neo_hookean.cpp";
  write_scene(scene);
  const Result result = proxima({"gradcheck", "scene.json"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, testing::HasSubstr("E[b]: passed\nthe loss does not depend on it, and the gradient is zero"));
  EXPECT_THAT(result.out, testing::HasSubstr("before the remainder could be followed over two decades"));
  EXPECT_THAT(result.out, testing::Not(testing::HasSubstr("inf")));
}

}  // namespace
}  // namespace proxima::test
