// Controllers: what they set is what acts, whole steps long, and again after a restart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/support/error.hpp"
#include "runtime/model/trajectory.hpp"
#include "runtime/solve/objective/controls.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/driven.hpp"

namespace proxima {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Controllers : public testing::TestWithParam<model::Integrator> {
 protected:
  void SetUp() override { model.integrator = GetParam(); }

  jit::Engine engine;
  model::Model model = bodies::make_driven_scene(4);
};

// Each step alone, with the values written into the model.
TEST_P(Controllers, SetWhatActsInAStep) {
  const solve::Objective objective(model, engine);
  const solve::StepSettings exact{.tolerance = 1e-12};
  const auto states = solve::simulate(objective, model, exact, solve::initial_state(model));
  std::vector<double> before;
  for (int step = 0; step < model.steps; ++step) {
    const auto values = objective.controls().values(step, states[step]);
    ASSERT_EQ(values.size(), 2u);
    EXPECT_NE(values, before);
    before = values;
    model::Model plain = model;
    plain.controllers.clear();
    plain.regions[1].driven.clear();
    plain.regions[1].parameters = {{values[0]}, {values[1]}};
    const solve::Objective other(plain, engine);
    solve::State state = states[step];
    solve::advance(other, plain, step, exact, state);
    for (std::size_t i = 0; i < state.positions.size(); ++i)
      EXPECT_NEAR(state.positions[i], states[step + 1].positions[i], 1e-11);
  }
}

TEST_P(Controllers, GiveTheSameBitsAfterARestart) {
  const solve::Objective objective(model, engine), fresh(model, engine);
  const auto states = solve::simulate(objective, model, {}, solve::initial_state(model));
  for (int step = model.steps - 1; step >= 0; --step) {
    solve::State again = states[step];
    solve::advance(fresh, model, step, {}, again);
    EXPECT_EQ(again.positions, states[step + 1].positions);
    EXPECT_EQ(again.velocities, states[step + 1].velocities);
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, Controllers,
                         testing::Values(model::Integrator::implicit_euler, model::Integrator::bdf2,
                                         model::Integrator::quasi_static),
                         [](const auto& chosen) { return std::string(model::integrator_row(chosen.param).name); });

// Sub-steps share the value of the whole step.
TEST(Controller, HoldsItsValueInSubSteps) {
  model::Model model = bodies::make_driven_scene(1);
  model.dirichlet.clear();
  bodies::hold_end(model, false);
  bodies::hold_end(model, true, {{0, {}, {}}, {0.01, {0.005, 0, 0}, {0.5, 0, 0}}});
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  solve::StepSettings settings{.tolerance = 1e-11};
  settings.solver.max_newton = 5;
  const auto start = solve::initial_state(model);
  const auto values = objective.controls().values(0, start);
  model::Model plain = model;
  plain.controllers.clear();
  plain.regions[1].driven.clear();
  plain.regions[1].parameters = {{values[0]}, {values[1]}};
  const solve::Objective other(plain, engine);
  solve::State state = start, expected = start;
  ASSERT_GT(solve::advance(objective, model, 0, settings, state).substeps, 1);
  solve::advance(other, plain, 0, settings, expected);
  for (std::size_t i = 0; i < state.positions.size(); ++i) EXPECT_NEAR(state.positions[i], expected.positions[i], 1e-9);
}

TEST(Controller, ThatLeavesTheIntervalIsNamed) {
  model::Model model = bodies::make_driven_scene(2);
  jit::Engine engine;
  solve::Objective objective(model, engine);
  auto& scale = model.controllers[0].parameters[2];
  ASSERT_EQ(model.controllers[0].function->parameters[2].name, "scale");
  solve::State state = solve::initial_state(model);
  scale = {1e308};
  objective.controls().set_parameters({model.controllers[0].parameters});
  EXPECT_THAT([&] { solve::advance(objective, model, 0, {}, state); },
              ThrowsMessage<Error>(AllOf(HasSubstr("controller 'brain' in step 1: sets parameter 'lambda' of region "
                                                   "'stiff' to inf"),
                                         HasSubstr("must satisfy"))));
  scale = {-1};
  EXPECT_THAT([&] { objective.controls().set_parameters({model.controllers[0].parameters}); },
              ThrowsMessage<Error>(HasSubstr("controller 'brain': 'scale' is -1, it must satisfy 0 < scale")));
}

struct Mistake {
  const char* name;
  void (*make)(model::Model&);
  const char* words;
};
class ControllerMistake : public testing::TestWithParam<Mistake> {};

TEST_P(ControllerMistake, IsRefused) {
  model::Model model = bodies::make_driven_scene(1);
  EXPECT_NO_THROW(model::validate(model));
  GetParam().make(model);
  EXPECT_THAT([&] { model::validate(model); }, ThrowsMessage<Error>(HasSubstr(GetParam().words)));
}

constexpr Mistake mistakes[] = {
    {"MissingInput", [](model::Model& m) { m.controllers[0].inputs.pop_back(); },
     "controller 'brain': 2 inputs are given, the function 'stiffening' has 3"},
    {"InputOfAnotherSize", [](model::Model& m) { m.controllers[0].inputs[1].points.pop_back(); },
     "controller 'brain': its input 'places' has 6 components, 3 are given"},
    {"UnknownNode", [](model::Model& m) { m.controllers[0].inputs[2].points[0].nodes[0] = 12345; },
     "controller 'brain': its input 'speed': node 12345 does not exist"},
    {"DrivesNothing", [](model::Model& m) { m.controllers[0].drives.clear(); }, "controller 'brain' drives nothing"},
    {"DrivenTwice", [](model::Model& m) { m.controllers.push_back(m.controllers[0]); },
     "controller 'brain': parameter 'mu' of region 'stiff' is driven twice"},
    {"NotDriven", [](model::Model& m) { m.controllers[0].drives.pop_back(); },
     "region 'stiff': parameter 'lambda' is marked as driven, but no controller drives it"},
    {"WeightsOfAnotherSize", [](model::Model& m) { m.controllers[0].parameters[0].pop_back(); },
     "controller 'brain': 'W' has 19 values, it needs 20"},
};
INSTANTIATE_TEST_SUITE_P(All, ControllerMistake, testing::ValuesIn(mistakes),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

TEST(Controller, IsPartOfTheFingerprint) {
  const model::Model model = bodies::make_driven_scene(1);
  for (const auto change :
       {+[](model::Model& m) { m.controllers[0].parameters[0][3] += 1e-9; },
        +[](model::Model& m) { m.controllers[0].inputs[1].points[0].nodes[0] -= 1; },
        +[](model::Model& m) { m.controllers[0].inputs[2].of = model::Observation::Of::position; },
        +[](model::Model& m) { std::swap(m.controllers[0].drives[0].output, m.controllers[0].drives[1].output); }}) {
    model::Model other = model;
    change(other);
    EXPECT_NE(fingerprint(other), fingerprint(model));
  }
}

}  // namespace
}  // namespace proxima
