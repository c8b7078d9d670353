// Rayleigh damping: what it does to small motions, and what it leaves alone in large ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/element_models.hpp"
#include "tests/solve/reference.hpp"

namespace proxima {
namespace {

using model::Integrator;

constexpr solve::StepSettings exact{.tolerance = 1e-12};

double length(const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); }

// A coefficient an element for the soft half of the bar, one for the stiff half.
model::Model damped_scene() {
  model::Model model = bodies::make_mixed_scene(1);
  for (std::size_t e = 0; e < model.regions[0].elements.count(); ++e)
    model.regions[0].damping.stiffness.push_back(0.01 * (1.5 + std::sin(static_cast<double>(e))));
  model.regions[1].damping.stiffness = {0.02};
  return model;
}

TEST(StiffnessDamping, IsTheStiffnessMatrixTimesTheVelocityNearRest) {
  const model::Model model = damped_scene();
  model::Model scaled = model;  // its stiffness is that of each element times the element's coefficient
  for (auto& region : scaled.regions)
    for (auto& values : region.parameters) {
      values.resize(region.elements.count(), values[0]);
      for (std::size_t e = 0; e < values.size(); ++e)
        values[e] *= region.damping.stiffness[region.damping.stiffness.size() == 1 ? 0 : e];
    }
  const auto& rest = model.initial_positions;
  const auto size = static_cast<long>(rest.size());
  std::vector<double> velocity(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) velocity[i] = std::sin(1.7 * static_cast<double>(i));
  const Eigen::VectorXd expected =
      bodies::ReferenceSimulator(scaled).hessian(Eigen::Map<const Eigen::VectorXd>(rest.data(), size)) *
      Eigen::Map<const Eigen::VectorXd>(velocity.data(), size);

  jit::Engine engine;
  model::Model elastic = model;
  for (auto& region : elastic.regions) region.damping = {};
  const solve::Objective with(model, engine), without(elastic, engine);
  const double h = model.time_step, small = 1e-6;
  std::vector<double> force(rest.size());
  for (const double sign : {1.0, -1.0}) {  // what is quadratic in the motion cancels
    std::vector<double> x = rest, all(rest.size()), part(rest.size());
    device::add_scaled(x, sign * small, velocity);
    with.enter_step({h, h, rest, {}});
    with.add_elastic_gradient(x, all);
    without.add_elastic_gradient(x, part);
    for (std::size_t i = 0; i < force.size(); ++i) force[i] += sign * (all[i] - part[i]) * h / (2 * small);
  }
  double scale = expected.cwiseAbs().maxCoeff();
  for (long i = 0; i < size; ++i) {
    if (with.held(static_cast<std::size_t>(i / 3))) continue;
    EXPECT_NEAR(force[i], expected[i], 1e-6 * scale);
  }
}

// A bar that turns once in 0.63 s and swings, nothing holding it.
model::Model spinning_bar(Integrator integrator, int refine) {
  model::Model model = bodies::make_bar();
  for (std::size_t node = 0; node < model.mesh.nodes.size(); ++node) {
    const auto& X = model.mesh.nodes[node];
    model.initial_velocities[3 * node] = -10 * (X[1] - 0.02) + 0.1;
    model.initial_velocities[3 * node + 1] = 10 * (X[0] - 0.05);
    model.initial_velocities[3 * node + 2] = 0.05 * std::sin(30 * X[0]);
  }
  model.integrator = integrator;
  model.regions[0].damping.stiffness = {2e-3};
  model.time_step = 4e-3 / refine;
  model.steps = 20 * refine;
  return model;
}

class SpinningBody : public testing::TestWithParam<Integrator> {};

TEST_P(SpinningBody, KeepsItsMomentumAndFeelsNoInnerMoment) {
  const model::Model model = spinning_bar(GetParam(), 1);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  const auto start = solve::initial_state(model);
  const auto mass = objective.mass();
  std::array<double, 3> first{};
  double scale = 0;
  for (std::size_t i = 0; i < start.velocities.size(); ++i) {
    first[i % 3] += mass[i / 3] * start.velocities[i];
    scale += mass[i / 3] * std::abs(start.velocities[i]);
  }
  solve::State state = start;
  for (int step = 0; step < model.steps; ++step) {
    const solve::State before = state;
    const auto report = solve::advance(objective, model, step, exact, state);
    for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(report.momentum[axis], first[axis], 1e-10 * scale);
    // Elastic and damping forces at the end of the step have no moment.
    objective.enter_step({0, model.time_step, before.positions, {}});
    std::vector<double> force(state.positions.size());
    objective.add_elastic_gradient(state.positions, force);
    std::array<double, 3> moment{};
    double size = 0;
    for (std::size_t n = 0; n < mass.size(); ++n)
      for (std::size_t i = 0; i < 3; ++i) {
        const double *x = &state.positions[3 * n], *f = &force[3 * n];
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        moment[i] += x[j] * f[k] - x[k] * f[j];
        size += std::abs(x[j] * f[k]) + std::abs(x[k] * f[j]);
      }
    EXPECT_GT(size, 1e-6);
    EXPECT_LT(length(moment), 1e-13 * size);
  }
}

// What is lost of the angular momentum is the integrator's own error, and falls with its order.
TEST_P(SpinningBody, LosesAngularMomentumWithTheOrderOfTheIntegrator) {
  const double order = GetParam() == Integrator::bdf2 ? 2 : 1;
  std::vector<double> lost;
  for (const int refine : {1, 2, 4}) {
    const model::Model model = spinning_bar(GetParam(), refine);
    jit::Engine engine;
    const solve::Objective objective(model, engine);
    std::vector<std::array<double, 3>> momenta;
    const auto start = solve::initial_state(model);
    double whole = 0;  // about z, at the start
    for (std::size_t n = 0; n < objective.nodes(); ++n)
      whole += objective.mass()[n] * (start.positions[3 * n] * start.velocities[3 * n + 1] -
                                      start.positions[3 * n + 1] * start.velocities[3 * n]);
    solve::simulate(objective, model, exact, start, [&](int, const solve::State&, const solve::StepReport& report) {
      momenta.push_back(report.angular_momentum);
    });
    lost.push_back(std::abs(momenta.back()[2] - whole) / whole);
  }
  EXPECT_NEAR(std::log2(lost[0] / lost[1]), order, 0.25);
  EXPECT_NEAR(std::log2(lost[1] / lost[2]), order, 0.25);
}

INSTANTIATE_TEST_SUITE_P(Integrators, SpinningBody, testing::Values(Integrator::implicit_euler, Integrator::bdf2),
                         [](const auto& chosen) { return std::string(model::integrator_row(chosen.param).name); });

TEST(StiffnessDamping, StopsASwing) {
  const auto energy_left = [](double coefficient) {
    model::Model model = bodies::make_bar();
    bodies::hold_end(model, false);
    bodies::stir(model, 0.3);
    model.integrator = Integrator::bdf2;
    model.time_step = 2e-3;
    model.steps = 50;
    if (coefficient > 0) model.regions[0].damping.stiffness = {coefficient};
    jit::Engine engine;
    const solve::Objective objective(model, engine);
    double energy = 0;
    solve::simulate(objective, model, {}, solve::initial_state(model),
                    [&](int, const solve::State&, const solve::StepReport& report) {
                      energy = report.elastic_energy + report.kinetic_energy;
                    });
    return energy;
  };
  EXPECT_LT(energy_left(0.02), 0.1 * energy_left(0));
}

TEST(StiffnessDamping, IsRefusedWhereItHasNoMeaning) {
  model::Model model = bodies::make_bar();
  model.regions[0].damping.stiffness = {-1};
  EXPECT_THAT([&] { model::validate(model); }, testing::ThrowsMessage<Error>(testing::HasSubstr("damping.stiffness")));
  model.regions[0].damping.stiffness = {1, 2};
  EXPECT_THAT([&] { model::validate(model); }, testing::ThrowsMessage<Error>(testing::HasSubstr("has 2 values")));
  model.regions[0].damping = {.mass = NAN};
  EXPECT_THAT([&] { model::validate(model); }, testing::ThrowsMessage<Error>(testing::HasSubstr("damping.mass")));
  model::Model folds = bodies::make_element_model("hinges");
  folds.regions[0].damping.stiffness = {0.1};
  jit::Engine engine;
  EXPECT_THAT([&] { solve::Objective(folds, engine); }, testing::ThrowsMessage<Error>(testing::HasSubstr("'hinge'")));
}

TEST(StiffnessDamping, ActsOnEveryElementWithAStrain) {
  for (const char* name : {"hexahedra", "triangles", "edges"}) {
    SCOPED_TRACE(name);
    jit::Engine engine;
    double energy[2];
    for (const int damped : {0, 1}) {
      model::Model model = bodies::make_element_model(name);
      if (damped) model.regions[0].damping.stiffness = {0.1};
      bodies::stir(model, 0.3);
      model.steps = 4;
      const solve::Objective objective(model, engine);
      solve::simulate(objective, model, exact, solve::initial_state(model),
                      [&](int, const solve::State&, const solve::StepReport& report) {
                        energy[damped] = report.elastic_energy + report.kinetic_energy;
                      });
    }
    EXPECT_LT(energy[1], 0.99 * energy[0]);
    EXPECT_GT(energy[1], 0);
  }
}

}  // namespace
}  // namespace proxima
