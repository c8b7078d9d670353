// Gradients through ties, alone and beside contact.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/adjoint/losses.hpp"
#include "runtime/model/obstacle_shapes.hpp"
#include "tests/adjoint/taylor.hpp"
#include "tests/contact/touching_bodies.hpp"
#include "tests/solve/bodies.hpp"

namespace proxima {
namespace {

constexpr int steps = 6;
constexpr solve::StepSettings exact{.tolerance = 1e-12};
constexpr adjoint::AdjointSettings exact_adjoint{.tolerance = 1e-12, .rest_shape = true};

// A small box whose lower corner nodes are tied to the top of a larger one, somewhere on its faces. Two corners of the
// larger one are tied to points; with contact it also comes down on the ground and slides.
model::Model make_scene(bool ground) {
  model::Model model;
  test::add_body(model, mesh::make_box({2, 2, 1}, {0, 0, 0}, {0.1, 0.1, 0.04}));
  test::add_body(model, mesh::make_box({1, 1, 1}, {0.02, 0.03, 0.04}, {0.05, 0.06, 0.07}));
  bodies::fill_with_solid(model, 3e4);
  model::Tie glue{"glue", {}, {}}, pin{"pin", {}, {0.001, 0, 0.0005}};
  const auto triangles = mesh::boundary_triangles(model.mesh);
  for (std::int32_t k = 0; k < 4; ++k) {
    const auto corners = triangles.of(static_cast<std::size_t>(2 * k));
    glue.tied.push_back({{model.bodies[1].first_node + k, corners[0], corners[1], corners[2]},
                         {1, -0.2 - 0.1 * k, -0.5, -0.3 + 0.1 * k},
                         {}});
  }
  for (const std::int32_t node : {0, 2})
    pin.tied.push_back({{node, -1, -1, -1}, {1, 0, 0, 0}, model.mesh.nodes[static_cast<std::size_t>(node)]});
  model.ties = {glue, pin};
  if (ground) {
    model::Obstacle plane;
    plane.name = "ground";
    plane.shape = model::AnalyticDistance{model::obstacle_shape("half_space"), {}};
    plane.motion = {{0, {0, 0, -0.004}, {0.05, 0, 0}}};
    model.obstacles = {plane};
    model.contacts = {{.body = 0, .friction = 0.3}};
  }
  model.gravity = {0, 0, -9.81};
  model.time_step = 0.01;
  model.steps = steps;
  for (std::size_t i = 0; i < model.initial_velocities.size(); ++i)
    model.initial_velocities[i] = 0.1 * std::sin(1.7 * static_cast<double>(i));
  return model;
}

class TieGradient : public testing::TestWithParam<bool> {};

TEST_P(TieGradient, ByEverything) {
  jit::Engine engine;
  const auto model = make_scene(GetParam());
  const auto value = [](int frame, std::span<const double> x, std::span<const double> v, std::span<double> by_x,
                        std::span<double> by_v) {
    if (frame != steps) return 0.0;
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double a = std::sin(1.3 * static_cast<double>(i) + 0.2);
      sum += a * x[i] + 20 * x[i] * x[i] + 0.01 * a * v[i];
      if (by_x.empty()) continue;
      by_x[i] += a + 40 * x[i];
      by_v[i] += 0.01 * a;
    }
    return sum;
  };
  const adjoint::UserLoss loss(steps, value);
  const solve::Objective objective(model, engine);
  int touching = 0;
  solve::simulate(objective, model, exact, solve::initial_state(model),
                  [&](int, const solve::State&, const solve::StepReport& report) {
                    touching += report.contact.stick + report.contact.slip;
                  });
  EXPECT_EQ(touching > 0, GetParam());
  const auto gradient =
      adjoint::rollout_gradient(objective, model, exact, exact_adjoint, loss, solve::initial_state(model));
  EXPECT_TRUE(gradient.kinks.empty());
  const auto loss_of = [&](const model::Model& changed) { return test::rollout_loss(engine, changed, exact, loss); };
  const auto check = [&](const std::vector<double>& x, const std::vector<double>& slope, double size, auto apply) {
    test::expect_gradient(model, loss_of, x, slope, test::waves(x.size(), size), apply);
  };
  using Values = std::span<const double>;
  check(model.initial_velocities, gradient.velocities, 1e-2,
        [](model::Model& m, Values x) { m.initial_velocities.assign(x.begin(), x.end()); });
  check(model.initial_positions, gradient.positions, 1e-4,
        [](model::Model& m, Values x) { m.initial_positions.assign(x.begin(), x.end()); });
  check(model.regions[0].parameters[0], gradient.regions[0].parameters[0], 1e3,
        [](model::Model& m, Values x) { m.regions[0].parameters[0][0] = x[0]; });
  for (std::size_t t = 0; t < 2; ++t) {
    const auto& to = model.ties[t].to;
    check({to.begin(), to.end()}, {gradient.ties[t].begin(), gradient.ties[t].end()}, 1e-3,
          [t](model::Model& m, Values x) { std::copy(x.begin(), x.end(), m.ties[t].to.begin()); });
  }
  std::vector<double> rest;
  for (const auto& node : model.mesh.nodes) rest.insert(rest.end(), node.begin(), node.end());
  check(rest, gradient.rest, 1e-4, [](model::Model& m, Values x) {
    for (std::size_t i = 0; i < x.size(); ++i) m.mesh.nodes[i / 3][i % 3] = x[i];
  });
  if (!GetParam()) return;
  check({0.3}, gradient.friction, 1e-2, [](model::Model& m, Values x) { m.contacts[0].friction = x[0]; });
}

INSTANTIATE_TEST_SUITE_P(Scenes, TieGradient, testing::Bool(),
                         [](const auto& ground) { return ground.param ? "OnTheGround" : "InTheAir"; });

}  // namespace
}  // namespace proxima
