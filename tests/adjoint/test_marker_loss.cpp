#include <gtest/gtest.h>

#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/adjoint.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/adjoint/marker_loss.hpp"
#include "tests/adjoint/taylor.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/contact_scenes.hpp"
#include "tests/solve/input_scenes.hpp"

namespace proxima {
namespace {

constexpr int steps = 8;

// Of two nodes, on the edge between them.
const mesh::Attachment on_edge{{0, 1}, {0.25, 0.75}};

TEST(MarkerLoss, IsTheMeanOverSightingsAtTheirOwnTimes) {
  const adjoint::MarkerLoss loss({on_edge}, {{0, 0, {0.75, 0, 0}}, {0.1 + 0.2, 0, {0, 0, 0}}, {0.37, 0, {0, 0, 0}}},
                                 0.1);
  const std::vector<double> here = {0, 0, 0, 1, 0, 0}, there = {4, 0, 0, 5, 0, 0};
  EXPECT_EQ(loss.last_frame(), 4);
  EXPECT_EQ(loss.frame(0, here, {}, {}, {}), 0);
  EXPECT_EQ(loss.frame(0, there, {}, {}, {}), 16.0 / 3);
  EXPECT_EQ(loss.frame(3, here, {}, {}, {}), 0.75 * 0.75 / 3);  // 0.1 + 0.2 is not 3 * 0.1
  EXPECT_EQ(loss.frame(4, here, {}, {}, {}), 0);
  EXPECT_EQ(loss.between(3, here, there, {}, {}), 0);
  EXPECT_NEAR(loss.between(4, here, there, {}, {}), std::pow(0.75 + 0.7 * 4, 2) / 3, 1e-14);
  std::vector<double> by_here(6), by_there(6);
  loss.between(4, here, there, by_here, by_there);
  EXPECT_NEAR(by_here[0], 0.3 * 0.25 * 2 * 3.55 / 3, 1e-14);
  EXPECT_NEAR(by_there[3], 0.7 * 0.75 * 2 * 3.55 / 3, 1e-14);
  EXPECT_THROW(adjoint::MarkerLoss({on_edge}, {}, 0.1), Error);
}

struct Case {
  const char* name;
  model::Model (*make)();
  solve::StepSettings settings{.tolerance = 1e-13};
};

template <model::Integrator integrator>
model::Model mixed() {
  model::Model model = bodies::make_mixed_scene(steps);
  model.integrator = integrator;
  return model;
}

model::Model touching() {
  model::Model model = bodies::make_block({.friction = 0.3, .restitution = 0.5, .height = 0.01});
  model.steps = steps;
  for (std::size_t i = 0; i < model.initial_velocities.size(); ++i)
    model.initial_velocities[i] = (i % 3 == 0 ? 0.2 : 0) + 0.02 * std::sin(static_cast<double>(i));
  return model;
}

// Twisted so fast that steps are halved.
model::Model twisted() { return bodies::input_scenes().at("sub_steps")(); }
model::Model twisted_by_bdf2() { return bodies::input_scenes().at("sub_steps_of_bdf2")(); }
constexpr solve::StepSettings halved{.tolerance = 1e-13, .solver = {.max_newton = 6}};

// Markers in the body, on it and off it, seen at times between those of the steps and in some of them, beside a loss
// that knows frames alone.
adjoint::SumLoss make_loss(const model::Model& model) {
  const auto box = mesh::bounding_box(model.mesh);
  const auto at = [&](double x, double y, double z) {
    const double share[] = {x, y, z};
    model::Vector3 point{};
    for (std::size_t i = 0; i < 3; ++i) point[i] = box.lower[i] + share[i] * (box.upper[i] - box.lower[i]);
    return point;
  };
  const std::vector<model::Vector3> places = {at(0.9, 0.31, 0.62), at(0.55, 0.4, 1), at(0.8, 0.3, 1.05),
                                              at(0.3, -0.05, 0.2)};
  std::vector<adjoint::SeenMarker> seen;
  for (const double time : {0.0, 0.7, 1.3, 1.6, 2.0, 3.45, 4.99, 5.0})
    for (std::size_t marker = 0; marker < places.size(); ++marker) {
      if (marker == 2 && time == 1.6) continue;
      auto position = places[marker];
      position[1] += 0.01 * std::sin(3 * time + static_cast<double>(marker));
      position[2] -= 0.005 * time;
      seen.push_back({time * model.time_step, marker, position});
    }
  return adjoint::SumLoss(
      {{2.0, std::make_shared<adjoint::MarkerLoss>(
                 mesh::attach(model.mesh, solve::initial_state(model).positions, places), seen, model.time_step)},
       {0.5, std::make_shared<adjoint::CentreTarget>(model.steps - 1, model::Vector3{0.1, 0.02, 0.05},
                                                     adjoint::uniform_weights(model.mesh.nodes.size()))}});
}

class MarkerGradient : public testing::TestWithParam<Case> {
 protected:
  adjoint::Gradient gradient(double forward, bool estimate) {
    const solve::Objective objective(model, engine);
    auto settings = GetParam().settings;
    settings.tolerance = forward;
    return adjoint::rollout_gradient(objective, model, settings, {.tolerance = 1e-12, .estimate_errors = estimate},
                                     loss, solve::initial_state(model));
  }
  template <class Apply>
  void check(std::span<const double> x, std::span<const double> slope, double size, Apply apply) {
    const auto loss_of = [&](const model::Model& changed) {
      return test::rollout_loss(engine, changed, GetParam().settings, loss);
    };
    test::expect_gradient(model, loss_of, x, slope, test::waves(x.size(), size), apply);
  }

  jit::Engine engine;
  model::Model model = GetParam().make();
  adjoint::SumLoss loss = make_loss(model);
};

TEST_P(MarkerGradient, IsThatOfTheLoss) {
  int substeps = 0;
  const solve::Objective objective(model, engine);
  for (const auto& state : solve::simulate(objective, model, GetParam().settings, solve::initial_state(model)))
    substeps = std::max(substeps, state.substeps);
  EXPECT_EQ(substeps > 1, GetParam().settings.solver.max_newton == halved.solver.max_newton);
  const auto found = gradient(GetParam().settings.tolerance, false);
  EXPECT_DOUBLE_EQ(found.loss, test::rollout_loss(engine, model, GetParam().settings, loss));
  const auto& modulus = model.regions.back().parameters[0];
  check(modulus, found.regions.back().parameters[0], 0.1 * modulus[0],
        [](model::Model& changed, std::span<const double> x) { changed.regions.back().parameters[0][0] = x[0]; });
  const std::vector<double> gravity(model.gravity.begin(), model.gravity.end());
  check(gravity, {found.gravity.begin(), found.gravity.end()}, 1,
        [](model::Model& changed, std::span<const double> x) { std::ranges::copy(x, changed.gravity.begin()); });
}

TEST_P(MarkerGradient, HasItsErrorEstimated) {
  const auto exact = gradient(GetParam().settings.tolerance, true);
  EXPECT_LT(exact.errors->loss, 1e-9);
  if (GetParam().settings.solver.max_newton == halved.solver.max_newton) return;  // coarser steps are others
  const auto coarse = gradient(1e-4, true);
  const double error = std::abs(coarse.loss - exact.loss) / exact.loss;
  EXPECT_GT(coarse.errors->loss, error / 3);
  EXPECT_LT(coarse.errors->loss, 3 * error);
}

INSTANTIATE_TEST_SUITE_P(Rollouts, MarkerGradient,
                         testing::Values(Case{"implicit_euler", mixed<model::Integrator::implicit_euler>},
                                         Case{"bdf2", mixed<model::Integrator::bdf2>},
                                         Case{"quasi_static", mixed<model::Integrator::quasi_static>},
                                         Case{"bounces", touching}, Case{"halved", twisted, halved},
                                         Case{"halved_bdf2", twisted_by_bdf2, halved}),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace proxima
