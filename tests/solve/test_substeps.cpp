// Steps that cannot be solved are halved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "tests/solve/bodies.hpp"

namespace proxima {
namespace {

using model::Integrator;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Few Newton iterations are allowed, and one end of the bar is turned by half a radian in each step.
model::Model twisted_bar(Integrator integrator) {
  model::Model model = bodies::make_bar();
  bodies::hold_end(model, false);
  bodies::hold_end(model, true, {{0, {}, {}}, {0.02, {0.01, 0, 0}, {1, 0, 0}}});
  model.integrator = integrator;
  model.steps = 2;
  return model;
}

solve::StepSettings few_iterations(int max_substeps) {
  solve::StepSettings settings;
  settings.tolerance = 1e-9;
  settings.solver.max_newton = 5;
  settings.max_substeps = max_substeps;
  return settings;
}

class SubSteps : public testing::TestWithParam<Integrator> {};

TEST_P(SubSteps, RescueAStepThatFailsWithoutThem) {
  const model::Model model = twisted_bar(GetParam());
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  EXPECT_THAT([&] { solve::simulate(objective, model, few_iterations(1), solve::initial_state(model)); },
              ThrowsMessage<Error>(AllOf(HasSubstr("step 1 (to t = 0.01 s): not solved in 5 iterations"),
                                         HasSubstr("tet "), HasSubstr("principal stretches"))));
  std::vector<solve::StepReport> reports;
  const auto states =
      solve::simulate(objective, model, few_iterations(64), solve::initial_state(model),
                      [&](int, const solve::State&, const solve::StepReport& report) { reports.push_back(report); });
  EXPECT_GT(reports[0].substeps, 1);
  EXPECT_EQ(states[1].substeps, reports[0].substeps);
  EXPECT_LE(reports[0].residual, 1e-9);
  EXPECT_GT(reports[0].iterations, 5);
  for (const auto& state : states)
    for (const double x : state.positions) EXPECT_TRUE(std::isfinite(x));
}

// Halved evenly, a step is as many steps of a run with a shorter one.
TEST_P(SubSteps, AreTheStepsOfAShorterOne) {
  model::Model model = twisted_bar(GetParam());
  model.steps = 1;
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  const auto halved = solve::simulate(objective, model, few_iterations(64), solve::initial_state(model));
  model::Model finer = model;
  finer.integrator = model::integrator_row(GetParam()).one_step;
  finer.steps = halved[1].substeps;
  finer.time_step /= finer.steps;
  ASSERT_EQ(finer.steps & (finer.steps - 1), 0);
  const solve::Objective other(finer, engine);
  const auto whole = solve::simulate(other, finer, few_iterations(1), solve::initial_state(finer));
  for (std::size_t i = 0; i < whole.back().positions.size(); ++i) {
    EXPECT_NEAR(halved[1].positions[i], whole.back().positions[i], 1e-9);
    EXPECT_NEAR(halved[1].velocities[i], whole.back().velocities[i], 1e-5);
  }
}

TEST_P(SubSteps, LeaveNothingBehindForLaterSteps) {
  const model::Model model = twisted_bar(GetParam());
  jit::Engine engine;
  const solve::Objective objective(model, engine), fresh(model, engine);
  const auto settings = few_iterations(64);
  solve::State state = solve::initial_state(model);
  ASSERT_GT(solve::advance(objective, model, 0, settings, state).substeps, 1);
  solve::State again = state;
  solve::advance(objective, model, 1, settings, state);
  solve::advance(fresh, model, 1, settings, again);
  EXPECT_EQ(state.positions, again.positions);
  EXPECT_EQ(state.velocities, again.velocities);
}

TEST_P(SubSteps, CanBeRetraced) {
  const model::Model model = twisted_bar(GetParam());
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  const auto settings = few_iterations(64);
  const auto states = solve::simulate(objective, model, settings, solve::initial_state(model));
  ASSERT_GT(states[1].substeps, 1);
  for (int step = 0; step < model.steps; ++step) {
    const solve::State &before = states[step], &after = states[step + 1];
    const auto trace = solve::retrace(objective, model, step, settings, before);
    ASSERT_EQ(trace.size(), after.substeps);
    EXPECT_EQ(trace.front().before.positions, before.positions);
    EXPECT_EQ(trace.back().after, after.positions);
    EXPECT_EQ(trace.back().end, (step + 1) * model.time_step);
    double length = 0;
    for (std::size_t k = 0; k < trace.size(); ++k) {
      length += trace[k].length;
      if (k > 0) {
        EXPECT_EQ(trace[k].before.positions, trace[k - 1].after);
      }
      const auto& row = model::integrator_row(GetParam());
      EXPECT_EQ(trace[k].integrator, after.substeps > 1 || step == 0 ? row.one_step : row.integrator);
    }
    EXPECT_DOUBLE_EQ(length, model.time_step);
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, SubSteps,
                         testing::Values(Integrator::implicit_euler, Integrator::bdf2, Integrator::quasi_static),
                         [](const auto& chosen) { return std::string(model::integrator_row(chosen.param).name); });

TEST(SubStep, ThatFailsIsNamedInTheError) {
  const model::Model model = twisted_bar(Integrator::implicit_euler);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  auto settings = few_iterations(8);
  settings.solver.max_newton = 1;
  solve::State state = solve::initial_state(model);
  const auto before = state;
  EXPECT_THAT(
      [&] { solve::advance(objective, model, 0, settings, state); },
      ThrowsMessage<Error>(AllOf(HasSubstr("step 1 (to t = 0.01 s), its sub-step of 0.00125 s to t = 0.00125 s"),
                                 HasSubstr("tet "), HasSubstr("principal stretches"))));
  EXPECT_EQ(state.positions, before.positions);
  EXPECT_EQ(state.velocities, before.velocities);
}

}  // namespace
}  // namespace proxima
