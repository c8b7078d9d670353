#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/region/strain.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "runtime/solve/step/step.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/energies.hpp"
#include "tests/solve/reference.hpp"

namespace proxima {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<solve::State> run(const model::Model& model, double tolerance,
                              std::vector<solve::StepReport>* reports = nullptr) {
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  solve::StepSettings settings;
  settings.tolerance = tolerance;
  return solve::simulate(objective, model, settings, solve::initial_state(model),
                         [&](int, const solve::State&, const solve::StepReport& report) {
                           if (reports) reports->push_back(report);
                         });
}

double least_determinant(const model::Model& model, const std::vector<double>& x) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& region : model.regions) {
    double ratio = 0;
    solve::most_compressed(solve::ElementSet(model, region, 1), x, ratio);
    least = std::min(least, ratio);
  }
  return least;
}

TEST(Step, ReachesTheStateOfAnIndependentNewton) {
  const model::Model model = bodies::make_mixed_scene(8);
  std::vector<solve::StepReport> reports;
  const auto states = run(model, 1e-10, &reports);
  const bodies::ReferenceSimulator reference(model);
  auto start = solve::initial_state(model);
  const auto size = static_cast<long>(start.positions.size());
  Eigen::VectorXd x = Eigen::Map<Eigen::VectorXd>(start.positions.data(), size);
  Eigen::VectorXd v = Eigen::Map<Eigen::VectorXd>(start.velocities.data(), size);
  for (int step = 0; step < model.steps; ++step) {
    reference.advance(step, x, v);
    const Eigen::Map<const Eigen::VectorXd> found(states[step + 1].positions.data(), size);
    const Eigen::Map<const Eigen::VectorXd> velocity(states[step + 1].velocities.data(), size);
    EXPECT_LT((found - x).cwiseAbs().maxCoeff(), 1e-8 * x.cwiseAbs().maxCoeff()) << "step " << step;
    EXPECT_LT((velocity - v).cwiseAbs().maxCoeff(), 1e-7 * v.cwiseAbs().maxCoeff()) << "step " << step;
    EXPECT_LE(reports[step].residual, 1e-10);
  }
}

TEST(Step, FallsOnTheParabolaOfImplicitEuler) {
  model::Model model = bodies::make_bar();
  model.gravity = {0, 0, -9.81};
  model.steps = 10;
  std::vector<solve::StepReport> reports;
  const auto states = run(model, 1e-10, &reports);
  const double h = model.time_step;
  for (int n = 0; n <= model.steps; ++n)
    for (std::size_t i = 0; i < states[n].positions.size(); ++i) {
      const double fallen = i % 3 == 2 ? -9.81 * h * h * n * (n + 1) / 2 : 0;
      EXPECT_NEAR(states[n].positions[i], model.initial_positions[i] + fallen, 1e-12);
    }
  for (const auto& report : reports) EXPECT_LE(report.a_solves, 3);
}

TEST(Step, KeepsMomentumAndLosesEnergyWithoutForces) {
  model::Model model = bodies::make_bar();
  bodies::stir(model, 0.5);
  model.steps = 20;
  std::vector<solve::StepReport> reports;
  const auto states = run(model, 1e-11, &reports);
  const auto mass = model::lumped_mass(model);
  const auto momentum = [&](const solve::State& state, std::size_t axis) {
    double total = 0;
    for (std::size_t node = 0; node < mass.size(); ++node) total += mass[node] * state.velocities[3 * node + axis];
    return total;
  };
  double scale = 0;
  for (std::size_t i = 0; i < model.initial_velocities.size(); ++i)
    scale += mass[i / 3] * std::abs(model.initial_velocities[i]);
  for (const auto& state : states)
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(momentum(state, axis), momentum(states[0], axis), 1e-10 * scale);
  for (std::size_t k = 1; k < reports.size(); ++k)
    EXPECT_LT(reports[k].elastic_energy + reports[k].kinetic_energy,
              reports[k - 1].elastic_energy + reports[k - 1].kinetic_energy);
}

TEST(Step, HangsStillUnderItsWeightAfterLongSteps) {
  model::Model model = bodies::make_bar();
  bodies::hold_end(model, false);
  model.gravity = {2, 0, -4};
  model.time_step = 100;
  model.steps = 12;
  const auto states = run(model, 1e-9);
  const bodies::ReferenceSimulator reference(model);
  const auto size = static_cast<long>(states.back().positions.size());
  const Eigen::Map<const Eigen::VectorXd> x(states.back().positions.data(), size);
  const Eigen::VectorXd internal = reference.gradient(x);
  const double weight = reference.mass().sum() / 3 * std::hypot(2.0, 4.0);
  for (long i = 0; i < size; ++i) {
    if (model.mesh.nodes[static_cast<std::size_t>(i / 3)][0] < 1e-9) continue;
    EXPECT_NEAR(internal[i], reference.mass()[i] * model.gravity[i % 3], 1e-7 * weight);
  }
}

TEST(Step, NeverAcceptsAnInvertedElementUnderAViolentSqueeze) {
  model::Model model = bodies::make_bar(8);
  bodies::hold_end(model, false);
  // In one step the far end is pushed to a third of the bar's length and turned: the next layer is passed by far.
  bodies::hold_end(model, true, {{0, {}, {}}, {0.01, {-0.065, 0, 0}, {0.5, 0, 0}}});
  model.steps = 4;
  std::vector<solve::StepReport> reports;
  const auto states = run(model, 1e-8, &reports);
  EXPECT_GT(reports[0].parts, 1);
  for (const auto& state : states) EXPECT_GT(least_determinant(model, state.positions), 0);
  for (const auto& report : reports) EXPECT_LE(report.residual, 1e-8);
}

TEST(Step, GetsOutOfInvertedElementsWhereTheEnergyAllowsThem) {
  // The bar's nodes are thrown about by more than a cell; long steps without inertia let it find its shape again.
  model::Model model = bodies::make_bar();
  model.regions[0].energy = bodies::invertible_neo_hookean();
  bodies::hold_end(model, false);
  for (std::size_t i = 0; i < model.initial_positions.size(); ++i)
    model.initial_positions[i] += 0.025 * std::sin(12.9 * static_cast<double>(i));
  model.time_step = 0.1;
  model.steps = 30;
  ASSERT_LT(least_determinant(model, solve::initial_state(model).positions), 0);
  std::vector<solve::StepReport> reports;
  const auto states = run(model, 1e-8, &reports);
  // Once it is still, forces and reference are both rounding: 0.25 of it over 1e7 of it is all that can be had.
  for (const auto& report : reports) EXPECT_LE(report.residual, 3e-8);
  EXPECT_GT(least_determinant(model, states.back().positions), 0.99);
}

TEST(Step, SaysWhichElementStopsAnImpossibleMotion) {
  // The first layer of cells is held on both sides, and its far side is pushed through the near one.
  model::Model model = bodies::make_bar();
  bodies::hold_end(model, false);
  model::Dirichlet second;
  for (std::size_t node = 0; node < model.mesh.nodes.size(); ++node)
    if (std::abs(model.mesh.nodes[node][0] - 0.02) < 1e-9) second.nodes.push_back(static_cast<std::int32_t>(node));
  second.motion = {{0, {}, {}}, {0.01, {-0.03, 0, 0}, {}}};
  model.dirichlet.push_back(second);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  solve::State state = solve::initial_state(model);
  const auto before = state;
  EXPECT_THAT([&] { solve::advance(objective, model, 0, {}, state); },
              ThrowsMessage<Error>(AllOf(HasSubstr("step 1 "), HasSubstr("tet "), HasSubstr("principal stretches"),
                                         HasSubstr("log of -"), HasSubstr("energies.cpp:"))));
  EXPECT_EQ(state.positions, before.positions);
  EXPECT_EQ(state.velocities, before.velocities);
}

TEST(Step, SaysSoWhenIterationsDoNotSuffice) {
  const model::Model model = bodies::make_mixed_scene(1);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  solve::State state = solve::initial_state(model);
  solve::StepSettings settings;
  settings.solver.max_newton = 1;
  settings.tolerance = 1e-10;
  EXPECT_THAT(
      [&] { solve::advance(objective, model, 4, settings, state); },
      ThrowsMessage<Error>(AllOf(HasSubstr("step 5 "), HasSubstr("1 iterations of newton"), HasSubstr("tet "))));
}

TEST(Step, RefusesAStartOutsideTheDomainWhereHeldNodesKeepItThere) {
  // The first layer of cells is held on both sides, its far side behind the near one from the beginning.
  model::Model model = bodies::make_bar();
  bodies::hold_end(model, false);
  model::Dirichlet second;
  for (std::size_t node = 0; node < model.mesh.nodes.size(); ++node)
    if (std::abs(model.mesh.nodes[node][0] - 0.02) < 1e-9) second.nodes.push_back(static_cast<std::int32_t>(node));
  second.motion = {{0, {-0.03, 0, 0}, {}}};
  model.dirichlet.push_back(second);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  solve::State state = solve::initial_state(model);
  EXPECT_THAT([&] { solve::advance(objective, model, 0, {}, state); },
              ThrowsMessage<Error>(AllOf(HasSubstr("start of the step"), HasSubstr("tet "), HasSubstr("log of -"))));
}

TEST(Step, StopsAtRoundingWhateverIsAsked) {
  model::Model model = bodies::make_mixed_scene(5);
  std::vector<solve::StepReport> reports;
  run(model, 1e-18, &reports);
  for (const auto& report : reports) {
    EXPECT_LT(report.residual, 1e-11);
    EXPECT_LT(report.iterations, 20);
  }
}

TEST(Step, LeavesASaddleDownhill) {
  // A slender bar pressed to 0.7 of its length, steps so long that inertia is no help: it is on a ridge of g, and a
  // tiny push shows it where to buckle to.
  model::Model model = bodies::make_bar(10, 0.02);
  bodies::hold_end(model, false);
  bodies::hold_end(model, true, {{0, {-0.03, 0, 0}, {}}});
  model.time_step = 1;
  model.steps = 3;
  for (std::size_t node = 0; node < model.mesh.nodes.size(); ++node) {
    model.initial_positions[3 * node] *= 0.7;
    const double x = model.mesh.nodes[node][0];
    if (x > 1e-9 && x < 0.1 - 1e-9) model.initial_positions[3 * node + 2] += 1e-6;
  }
  std::vector<solve::StepReport> reports;
  const auto states = run(model, 1e-9, &reports);
  bool met = false;
  for (const auto& report : reports) {
    met |= report.negative_curvature;
    EXPECT_LE(report.residual, 1e-9);
  }
  EXPECT_TRUE(met);
  double sideways = 0;
  for (std::size_t i = 0; i < states.back().positions.size(); i += 3)
    for (std::size_t axis = 1; axis < 3; ++axis)
      sideways = std::max(sideways, std::abs(states.back().positions[i + axis] - model.initial_positions[i + axis]));
  EXPECT_GT(sideways, 5e-3);
}

TEST(Step, GivesTheSameBitsForAnyNumberOfThreads) {
  // Large enough for every loop to be cut into several tasks.
  const model::Model model = bodies::make_mixed_scene(2, 7);
  ASSERT_GT(model.mesh.nodes.size(), 8000u);
  const int before = device::threads();
  device::set_threads(1);
  const auto one = run(model, 1e-6);
  device::set_threads(2);
  const auto two = run(model, 1e-6);
  device::set_threads(before);
  for (std::size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(one[k].positions, two[k].positions);
    EXPECT_EQ(one[k].velocities, two[k].velocities);
  }
}

TEST(Step, GivesTheSameBitsAfterARestart) {
  const model::Model model = bodies::make_mixed_scene(6);
  const auto whole = run(model, 1e-8);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  solve::StepSettings settings;
  settings.tolerance = 1e-8;
  solve::State state = whole[3];
  for (int step = 3; step < model.steps; ++step) solve::advance(objective, model, step, settings, state);
  EXPECT_EQ(state.positions, whole.back().positions);
  EXPECT_EQ(state.velocities, whole.back().velocities);
}

}  // namespace
}  // namespace proxima
