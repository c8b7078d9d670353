// Gradients where contacts begin and end: at first touch, and over several bounces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/adjoint/losses.hpp"
#include "runtime/model/obstacle_shapes.hpp"
#include "tests/adjoint/taylor.hpp"
#include "tests/contact/touching_bodies.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/contact_scenes.hpp"

namespace proxima {
namespace {

using Values = std::span<const double>;

constexpr solve::StepSettings exact{.tolerance = 1e-12};
constexpr adjoint::AdjointSettings exact_adjoint{.tolerance = 1e-12};

adjoint::UserLoss make_loss(int steps) {
  return {steps, [steps](int frame, Values x, Values v, std::span<double> by_x, std::span<double> by_v) {
            if (frame != steps) return 0.0;
            double sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
              const double a = std::sin(1.3 * static_cast<double>(i) + 0.2);
              sum += a * x[i] + x[i] * x[i] + 0.01 * a * v[i];
              if (by_x.empty()) continue;
              by_x[i] += a + 2 * x[i];
              by_v[i] += 0.01 * a;
            }
            return sum;
          }};
}

// Without gravity, as fast as it takes to be at the plane after three steps, to the last bit or two. Sooner, it is
// pressed against the plane, later, it is not there yet: two derivatives.
TEST(ContactEdges, AFirstTouchHasTheDerivativeOfOneSideAndSaysSo) {
  jit::Engine engine;
  constexpr double speed = 0.125, step = 0.0078125;
  auto model = bodies::make_block({.friction = 0.3, .height = 3 * speed * step});
  model.gravity = {};
  model.time_step = step;
  for (std::size_t i = 2; i < model.initial_velocities.size(); i += 3) model.initial_velocities[i] = -speed;
  model.steps = 3;
  const auto loss = make_loss(3);
  const solve::Objective objective(model, engine);
  const auto gradient =
      adjoint::rollout_gradient(objective, model, exact, exact_adjoint, loss, solve::initial_state(model));
  EXPECT_THAT(gradient.kinks, testing::ElementsAre(3));
  for (const auto* values : {&gradient.positions, &gradient.velocities, &gradient.friction, &gradient.restitution})
    for (const double value : *values) EXPECT_TRUE(std::isfinite(value));
  double slope = 0;
  for (std::size_t i = 2; i < gradient.velocities.size(); i += 3) slope += gradient.velocities[i];
  const auto quotient = [&](double by) {
    auto changed = model;
    for (std::size_t i = 2; i < changed.initial_velocities.size(); i += 3) changed.initial_velocities[i] += by;
    return (test::rollout_loss(engine, changed, exact, loss) - gradient.loss) / by;
  };
  const double slower = quotient(1e-6), faster = quotient(-1e-6);
  EXPECT_GT(std::abs(slower - faster), 1e-2 * std::abs(slower));  // there are two
  EXPECT_LT(std::min(std::abs(slope - slower), std::abs(slope - faster)), 1e-4 * std::abs(slope));
}

// A ball that is thrown obliquely and bounces three times, each time from another side.
TEST(ContactEdges, ABallBouncesSeveralTimes) {
  jit::Engine engine;
  constexpr int steps = 90;
  model::Model model;
  test::add_body(model, test::turned(mesh::make_ball(2, {0, 0, 0}, 0.05), {0.3, 0.2, 0.1}, {0, 0, 0.08}));
  bodies::fill_with_solid(model, 2e5);
  model::Obstacle ground;
  ground.name = "ground";
  ground.shape = model::AnalyticDistance{model::obstacle_shape("half_space"), {}};
  ground.motion = {{}};
  model.obstacles = {ground};
  model.contacts = {{.friction = 0.3, .restitution = 0.8}};
  model.gravity = {0, 0, -9.81};
  model.time_step = 0.005;
  model.steps = steps;
  for (std::size_t i = 0; i < model.initial_velocities.size(); i += 3) {
    model.initial_velocities[i] = 0.5;
    model.initial_velocities[i + 1] = 0.1;
  }
  const auto loss = make_loss(steps);
  const solve::Objective objective(model, engine);
  int bounces = 0;
  bool in_the_air = true;
  solve::simulate(objective, model, exact, solve::initial_state(model),
                  [&](int, const solve::State&, const solve::StepReport& report) {
                    const bool touches = report.contact.stick + report.contact.slip > 0;
                    bounces += touches && in_the_air ? 1 : 0;
                    in_the_air = !touches;
                  });
  EXPECT_GE(bounces, 3);
  const auto gradient =
      adjoint::rollout_gradient(objective, model, exact, exact_adjoint, loss, solve::initial_state(model));
  EXPECT_TRUE(gradient.kinks.empty());
  const auto loss_of = [&](const model::Model& changed) { return test::rollout_loss(engine, changed, exact, loss); };
  const auto check = [&](const std::vector<double>& x, const std::vector<double>& slope,
                         const std::vector<double>& direction,
                         auto apply) { test::expect_gradient(model, loss_of, x, slope, direction, apply); };
  std::vector<double> thrown(model.initial_velocities.size());
  for (std::size_t i = 0; i < thrown.size(); ++i) thrown[i] = i % 3 == 0 ? 1e-3 : i % 3 == 2 ? -1e-3 : 5e-4;
  check(model.initial_velocities, gradient.velocities, thrown,
        [](model::Model& m, Values x) { m.initial_velocities.assign(x.begin(), x.end()); });
  check(model.regions[0].parameters[0], gradient.regions[0].parameters[0], {1e3},
        [](model::Model& m, Values x) { m.regions[0].parameters[0][0] = x[0]; });
  check({0.3}, gradient.friction, {1e-3}, [](model::Model& m, Values x) { m.contacts[0].friction = x[0]; });
  check({0.8}, gradient.restitution, {1e-3}, [](model::Model& m, Values x) { m.contacts[0].restitution = x[0]; });
  const auto& by = gradient.obstacles[0].motion[0];
  check({0, 0, 0}, {by.translation.begin(), by.translation.end()}, {0, 0, 1e-4},
        [](model::Model& m, Values x) { std::copy(x.begin(), x.end(), m.obstacles[0].motion[0].translation.begin()); });
}

// Nodes that touch a cylinder slide along it so fast that they bounce although they are not near where their velocities
// lead, nor where they end; and the cylinder moves, too.
TEST(ContactEdges, ABlockBouncesOffACylinderThatItSlidesOver) {
  jit::Engine engine;
  constexpr int steps = 3;
  model::Model model;
  test::add_body(model, mesh::make_box({2, 2, 1}, {-0.05, -0.05, 0.030001}, {0.05, 0.05, 0.08}));
  bodies::fill_with_solid(model, 1e5);
  const double quarter = std::acos(-1.0) / 2;
  model::Obstacle bat;
  bat.name = "bat";
  bat.shape = model::AnalyticDistance{model::obstacle_shape("cylinder"), {{0.2}, {0.03}}};
  bat.motion = {{.time = 0, .rotation = {quarter, 0, 0}},
                {.time = 0.1, .translation = {0.01, 0, 0.002}, .rotation = {quarter, 0, 0.2}}};
  model.obstacles = {bat};
  model.contacts = {{.friction = 0.2, .restitution = 0.95}};
  model.time_step = 0.005;
  model.steps = steps;
  for (std::size_t i = 0; i < model.initial_velocities.size(); i += 3) {
    model.initial_velocities[i] = 1.5;
    model.initial_velocities[i + 2] = -0.1;
  }
  const auto loss = make_loss(steps);
  const solve::Objective objective(model, engine);
  std::vector<int> touching;
  solve::simulate(objective, model, exact, solve::initial_state(model),
                  [&](int, const solve::State&, const solve::StepReport& report) {
                    touching.push_back(report.contact.stick + report.contact.slip);
                  });
  EXPECT_GT(touching.at(0), 0);
  const auto gradient =
      adjoint::rollout_gradient(objective, model, exact, exact_adjoint, loss, solve::initial_state(model));
  EXPECT_TRUE(gradient.kinks.empty());
  const auto loss_of = [&](const model::Model& changed) { return test::rollout_loss(engine, changed, exact, loss); };
  const auto check = [&](const std::vector<double>& x, const std::vector<double>& slope,
                         const std::vector<double>& direction,
                         auto apply) { test::expect_gradient(model, loss_of, x, slope, direction, apply); };
  std::vector<double> thrown(model.initial_velocities.size());
  for (std::size_t i = 0; i < thrown.size(); ++i) thrown[i] = i % 3 == 0 ? 1e-4 : 5e-5;
  check(model.initial_velocities, gradient.velocities, thrown,
        [](model::Model& m, Values x) { m.initial_velocities.assign(x.begin(), x.end()); });
  check({0.95}, gradient.restitution, {1e-3}, [](model::Model& m, Values x) { m.contacts[0].restitution = x[0]; });
  const auto& by = gradient.obstacles[0].motion[1];
  check({0.01, 0, 0.002}, {by.translation.begin(), by.translation.end()}, {1e-4, 0, 1e-4},
        [](model::Model& m, Values x) { std::copy(x.begin(), x.end(), m.obstacles[0].motion[1].translation.begin()); });
  check({quarter, 0, 0.2}, {by.rotation.begin(), by.rotation.end()}, {1e-3, 1e-3, 1e-3},
        [](model::Model& m, Values x) { std::copy(x.begin(), x.end(), m.obstacles[0].motion[1].rotation.begin()); });
}

}  // namespace
}  // namespace proxima
