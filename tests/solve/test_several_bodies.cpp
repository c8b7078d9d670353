// A scene of several bodies and every shape of element: tets, hexahedra, triangles, edges, hinges, springs between
// bodies and to points. What must not change its result: the number of threads, not by a bit, and the order in which
// its bodies are listed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "runtime/device/parallel.hpp"
#include "runtime/model/build.hpp"
#include "runtime/solve/step/rollout.hpp"

namespace proxima {
namespace {

const std::map<std::string, std::string> bodies = {
    {"block", R"({
      "name": "block",
      "mesh": { "box": { "cells": [12, 6, 6], "lower": [0, 0, 0], "upper": [0.2, 0.1, 0.1] } },
      "materials": [
        { "name": "soft", "energy": "stable_neo_hookean.cpp", "density": 1000, "parameters": { "E": 2e4, "nu": 0.3 },
          "region": { "box": { "lower": [0, 0, 0], "upper": [0.1, 1, 1] } } },
        { "name": "hard", "energy": "corotated.cpp", "density": 1200, "parameters": { "E": 1e5, "nu": 0.3 },
          "damping": { "stiffness": 1e-3 } }
      ] })"},
    {"bricks", R"({
      "name": "bricks",
      "mesh": { "box": { "cells": [7, 7, 7], "lower": [0, 0, 0], "upper": [0.1, 0.1, 0.1], "elements": "hexahedra" } },
      "place": { "translate": [0.3, 0, 0], "rotate": [0, 0, 0.3] },
      "materials": [
        { "name": "brick", "density": { "expression": "1000 + 1000*x" }, "energies": [
          { "energy": "neo_hookean.cpp", "parameters": { "E": 5e4, "nu": 0.3 } },
          { "energy": "kelvin_voigt.cpp", "parameters": { "eta": 10, "zeta": 10 } } ] }
      ]
})"},
    {"sheet", R"({
      "name": "sheet",
      "mesh": { "grid": { "cells": [20, 20], "along": [0.4, 0, 0], "across": [0, 0.2, 0] } },
      "place": { "translate": [0, -0.05, 0.15] },
      "materials": [
        { "name": "weave", "energy": "membrane.cpp", "energy_name": "membrane", "density": 0.5, "parameters": { "E": 1e5 } },
        { "name": "folds", "energy": "discrete_shell_bending.cpp", "elements": "hinges" },
        { "name": "hem", "energy": "mass_spring.cpp", "energy_name": "mass_spring", "elements": "edges",
          "region": { "box": { "lower": [0, 0, 0], "upper": [1, 0, 0] } } }
      ] })"},
};

model::Model make_scene(const std::vector<std::string>& order, jit::Engine& engine) {
  std::string list;
  for (const auto& name : order) list += (list.empty() ? "" : ", ") + bodies.at(name);
  const auto scene = model::parse_scene(R"({
    "bodies": [)" + list + R"(],
    "springs": [
      { "name": "ties", "from": { "body": "sheet", "box": { "lower": [0, -1, -1], "upper": [0.02, 1, 1] } },
        "to": { "body": "block" }, "stiffness": 5 },
      { "name": "joints", "from": { "body": "bricks", "box": { "lower": [0, -1, 0.1], "upper": [1, 1, 0.1] } },
        "to": { "body": "sheet" }, "stiffness": 2, "rest": 0 }
    ],
    "attachments": [
      { "name": "pins", "select": { "body": "bricks", "box": { "lower": [0, -1, 0], "upper": [1, 1, 0] } },
        "stiffness": 20 }
    ],
    "dirichlet": [{ "select": { "body": "block", "box": { "lower": [0, 0, 0], "upper": [0, 1, 1] } } }],
    "pressures": [{ "select": { "body": "block" }, "value": 200 }],
    "gravity": [0, 0, -9.81],
    "time": { "step": 0.01, "steps": 2 }
  })",
                                        PROXIMA_SOURCE_DIR "/dsl_examples/scene.json");
  return model::build_model(scene,
                            [&](const std::filesystem::path& file, const std::string& name) {
                              return std::make_shared<const ir::Energy>(engine.load_energy(file, name));
                            })
      .model;
}

std::vector<double> last_positions(const model::Model& model, jit::Engine& engine, double tolerance) {
  const solve::Objective objective(model, engine);
  return solve::simulate(objective, model, {.tolerance = tolerance}, solve::initial_state(model)).back().positions;
}

TEST(SeveralBodies, GiveTheSameBitsForAnyNumberOfThreads) {
  jit::Engine engine;
  const auto model = make_scene({"block", "bricks", "sheet"}, engine);
  std::vector<double> expected;
  for (const int threads : {1, 2, 4}) {
    device::set_threads(threads);
    const auto found = last_positions(model, engine, 1e-6);
    if (threads == 1) expected = found;
    EXPECT_EQ(found, expected) << threads << " threads";
  }
  device::set_threads(0);
}

TEST(SeveralBodies, MayStandInAnyOrder) {
  jit::Engine engine;
  const std::vector<std::string> order = {"block", "bricks", "sheet"}, other = {"sheet", "block", "bricks"};
  const auto model = make_scene(order, engine), reordered = make_scene(other, engine);
  const auto expected = last_positions(model, engine, 1e-10), found = last_positions(reordered, engine, 1e-10);
  double moved = 0;
  for (const auto& body : model.bodies) {
    const auto same = std::find_if(reordered.bodies.begin(), reordered.bodies.end(),
                                   [&](const model::Body& each) { return each.name == body.name; });
    ASSERT_NE(same, reordered.bodies.end());
    ASSERT_EQ(same->nodes, body.nodes);
    double distance = 0;
    for (std::int32_t i = 0; i < 3 * body.nodes; ++i) {
      const auto mine = static_cast<std::size_t>(3 * body.first_node + i);
      distance =
          std::max(distance, std::abs(found[static_cast<std::size_t>(3 * same->first_node + i)] - expected[mine]));
      moved = std::max(moved, std::abs(expected[mine] - model.initial_positions[mine]));
    }
    EXPECT_LT(distance, 1e-8 * moved) << body.name;
  }
  EXPECT_GT(moved, 1e-3);
}

}  // namespace
}  // namespace proxima
