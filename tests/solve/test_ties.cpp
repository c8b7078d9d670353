// Ties against what they stand for: one mesh in the place of two halves, held nodes, a length that cannot change.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/obstacle_shapes.hpp"
#include "runtime/solve/contact/contact_methods.hpp"
#include "tests/contact/touching_bodies.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/contact_run.hpp"

namespace proxima {
namespace {

using mesh::Vector3;
using model::Model;
using test::run;

Vector3 at(const solve::State& state, std::size_t node) { return mesh::vector_at(std::span(state.positions), node); }

// Each node of the second body that is where one of the first is at rest, to that one.
model::Tie tie_alike(const Model& model) {
  model::Tie tie{"glue", {}, {}};
  const auto& other = model.bodies[1];
  for (std::int32_t k = other.first_node; k < other.first_node + other.nodes; ++k)
    for (std::int32_t n = 0; n < model.bodies[0].nodes; ++n)
      if (mesh::norm(mesh::minus(model.mesh.nodes[static_cast<std::size_t>(k)],
                                 model.mesh.nodes[static_cast<std::size_t>(n)])) < 1e-9)
        tie.tied.push_back({{k, n, -1, -1}, {1, -1, 0, 0}, {}});
  return tie;
}

void move(Model& model, int steps) {
  model.gravity = {0, 0, -9.81};
  model.time_step = 0.01;
  model.steps = steps;
  for (std::size_t node = 0; node < model.mesh.nodes.size(); ++node) {
    const auto& x = model.mesh.nodes[node];
    model.initial_velocities[3 * node] = 2 * x[2];
    model.initial_velocities[3 * node + 1] = -3 * x[0] + x[2];
    model.initial_velocities[3 * node + 2] = 0.3 * std::sin(40 * x[0]);
  }
}

void add_ground(Model& model, double height) {
  model::Obstacle ground;
  ground.name = "ground";
  ground.shape = model::AnalyticDistance{model::obstacle_shape("half_space"), {}};
  ground.motion = {{0, {0, 0, height}, {}}};
  model.obstacles = {ground};
  for (std::int32_t body = 0; body < static_cast<std::int32_t>(model.bodies.size()); ++body)
    model.contacts.push_back({.body = body, .friction = 0.4});
}

struct Halves {
  Model whole, halves;
  std::vector<std::size_t> node_of;  // of the halves' nodes, in the whole
};

// A bar of 6 x 2 x 2 cells, and the same in two parts.
Halves make_halves(int steps, bool ground) {
  Halves result;
  test::add_body(result.whole, mesh::make_box({6, 2, 2}, {-0.06, 0, 0}, {0.06, 0.04, 0.04}));
  test::add_body(result.halves, mesh::make_box({4, 2, 2}, {-0.06, 0, 0}, {0.02, 0.04, 0.04}));
  test::add_body(result.halves, mesh::make_box({2, 2, 2}, {0.02, 0, 0}, {0.06, 0.04, 0.04}));
  for (auto* model : {&result.whole, &result.halves}) {
    bodies::fill_with_solid(*model, 3e4);
    move(*model, steps);
    if (ground) add_ground(*model, -0.004);
  }
  result.halves.ties = {tie_alike(result.halves)};
  for (const auto& node : result.halves.mesh.nodes)
    for (std::size_t n = 0; n < result.whole.mesh.nodes.size(); ++n)
      if (mesh::norm(mesh::minus(node, result.whole.mesh.nodes[n])) < 1e-9) result.node_of.push_back(n);
  return result;
}

TEST(Ties, TwoHalvesMoveAsOneBody) {
  const auto model = make_halves(20, false);
  ASSERT_EQ(model.node_of.size(), model.halves.mesh.nodes.size());
  ASSERT_EQ(model.halves.ties[0].tied.size(), 9u);
  const auto whole = run(model.whole, {.tolerance = 1e-10}), halves = run(model.halves, {.tolerance = 1e-10});
  double largest = 0;
  for (std::size_t node = 0; node < model.node_of.size(); ++node)
    largest = std::max(
        largest, mesh::norm(mesh::minus(at(halves.states.back(), node), at(whole.states.back(), model.node_of[node]))));
  EXPECT_LT(largest, 1e-9);
  for (const auto& report : halves.reports) EXPECT_EQ(report.contact.stick, 0);  // ties are no contacts
}

struct Way {
  solve::MethodEntry method;
  contact::CondensedEntry condensed;
};
class TiesByEachMethod : public testing::TestWithParam<Way> {};

// With contact at both sides of the joint: each tied node and its twin touch the ground, where they say the same twice.
// That is more than splitting can do for Newton's method, which halves a step then and ends a little elsewhere.
TEST_P(TiesByEachMethod, TwoHalvesLandAsOneBody) {
  static const auto model = make_halves(8, true);
  static const auto whole = run(model.whole, {.tolerance = 1e-10});
  solve::StepSettings settings{.tolerance = 1e-8};
  settings.solver.method = GetParam().method.method;
  settings.contact.condensed = GetParam().condensed.method;
  const auto halves = run(model.halves, settings);
  const bool slow = settings.solver.method == solve::Method::newton &&
                    settings.contact.condensed == contact::CondensedMethod::splitting;
  for (const auto& report : halves.reports) EXPECT_TRUE(slow || report.substeps == 1);
  for (std::size_t node = 0; node < model.node_of.size(); ++node)
    EXPECT_LT(mesh::norm(mesh::minus(at(halves.states.back(), node), at(whole.states.back(), model.node_of[node]))),
              slow ? 1e-3 : 1e-7)
        << node;
  EXPECT_GT(halves.reports.back().contact.stick + halves.reports.back().contact.slip, 10);
}

std::vector<Way> ways() {
  std::vector<Way> result;
  for (const auto& method : solve::methods())
    for (const auto& condensed : contact::condensed_methods()) result.push_back({method, condensed});
  return result;
}
INSTANTIATE_TEST_SUITE_P(All, TiesByEachMethod, testing::ValuesIn(ways()), [](const auto& way) {
  return fmt::format("{}_{}", way.param.method.name, way.param.condensed.name);
});

TEST(Ties, ToTheirPlacesAreAsNodesThatAreHeld) {
  Model held = bodies::make_bar(5);
  held.gravity = {0, 0, -9.81};
  held.steps = 20;
  Model tied = held;
  bodies::hold_end(held, false);
  model::Tie tie{"end", {}, {}};
  for (const auto node : held.dirichlet[0].nodes)
    tie.tied.push_back({{node, -1, -1, -1}, {1, 0, 0, 0}, tied.mesh.nodes[static_cast<std::size_t>(node)]});
  tied.ties = {tie};
  const auto expected = run(held, {.tolerance = 1e-10}).states.back().positions;
  const auto found = run(tied, {.tolerance = 1e-10}).states.back().positions;
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-9) << i;
}

// A node on the inside of a face of a body that turns: it stays at the same shares of the three corners.
TEST(Ties, ANodeStaysWhereItIsOnAFace) {
  Model model;
  test::add_body(model, mesh::make_box({2, 2, 2}, {0, 0, 0}, {0.06, 0.06, 0.06}));
  test::add_body(model, mesh::make_box({1, 1, 1}, {0.07, 0.02, 0.02}, {0.09, 0.04, 0.04}));
  bodies::fill_with_solid(model, 2e4);
  move(model, 30);
  const auto triangles = mesh::boundary_triangles(model.mesh);
  const auto corners = triangles.of(0);
  const std::int32_t node = model.bodies[1].first_node;
  const model::TiedNode tied{{node, corners[0], corners[1], corners[2]}, {1, -0.2, -0.3, -0.5}, {}};
  model.ties = {{"dot", {tied}, {}}};
  const auto [states, reports] = run(model);
  for (std::size_t k = 1; k < states.size(); ++k) {
    Vector3 off{};
    for (std::size_t n = 0; n < 4; ++n)
      mesh::add(off, tied.weights[n], at(states[k], static_cast<std::size_t>(tied.nodes[n])));
    EXPECT_LT(mesh::norm(off), 1e-9) << k;
    EXPECT_EQ(reports[k - 1].substeps, 1) << k;
  }
}

// Where bodies are tied no contact between them is looked for; elsewhere there is.
TEST(Ties, TakeThePlaceOfContact) {
  Model model;
  test::add_body(model, mesh::make_box({2, 2, 1}, {0, 0, 0}, {0.1, 0.1, 0.04}));
  test::add_body(model, mesh::make_box({2, 2, 1}, {0, 0, 0.04}, {0.1, 0.1, 0.08}));
  bodies::fill_with_solid(model, 3e4);
  model::Dirichlet base;
  for (std::int32_t node = 0; node < model.bodies[0].nodes; ++node)
    if (model.mesh.nodes[static_cast<std::size_t>(node)][2] < 1e-9) base.nodes.push_back(node);
  model.dirichlet = {base};
  test::add_pair(model, 0, 1);
  model.contacts[0].friction = 0.3;
  move(model, 10);
  auto tie = tie_alike(model);
  std::erase_if(tie.tied,
                [&](const auto& tied) { return model.mesh.nodes[static_cast<std::size_t>(tied.nodes[0])][0] > 0.01; });
  ASSERT_EQ(tie.tied.size(), 3u);
  model.ties = {tie};
  const auto [states, reports] = run(model);
  for (const auto& tied : tie.tied)
    EXPECT_LT(mesh::norm(mesh::minus(at(states.back(), static_cast<std::size_t>(tied.nodes[0])),
                                     at(states.back(), static_cast<std::size_t>(tied.nodes[1])))),
              1e-9);
  int touching = 0;
  for (const auto& report : reports) {
    EXPECT_LT(report.contact.deepest, 1e-7);
    touching += report.contact.stick + report.contact.slip;
  }
  EXPECT_GT(touching, 0);
}

TEST(Ties, GiveTheSameBitsForAnyNumberOfThreads) {
  const auto model = make_halves(4, true).halves;
  device::set_threads(1);
  const auto one = run(model).states.back();
  device::set_threads(2);
  const auto two = run(model).states.back();
  device::set_threads(0);
  EXPECT_EQ(one.positions, two.positions);
  EXPECT_EQ(one.velocities, two.velocities);
}

}  // namespace
}  // namespace proxima
