// What a step sees beside positions: histories that are carried on, the previous strain, actuations in time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/region/strain.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/element_models.hpp"

namespace proxima {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

solve::StepSettings exactly() {
  solve::StepSettings settings;
  settings.tolerance = 1e-10;
  return settings;
}

class History : public testing::TestWithParam<const char*> {};

// The energy's rule: the viscous strain goes half the way to F^T F.
TEST_P(History, FollowsTheUpdateRuleAtEveryPoint) {
  model::Model model = bodies::make_element_model(GetParam());
  bodies::stir(model, 0.2);
  model.steps = 2;
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  const auto states = solve::simulate(objective, model, exactly(), solve::initial_state(model));
  const solve::ElementSet set(model, model.regions[0], 1);
  ASSERT_EQ(states[0].history.size(), 9 * set.items());
  double largest = 0;
  for (std::size_t n = 0; n < 2; ++n)
    for (std::size_t item = 0; item < set.items(); ++item) {
      const auto F = solve::deformation_gradient(set, item, states[n + 1].positions);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          const double C = F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j];
          const std::size_t k = 9 * item + 3 * i + j;
          EXPECT_NEAR(states[n + 1].history[k], (C + states[n].history[k]) / 2, 1e-13);
          largest = std::max(largest, std::abs(states[n + 1].history[k] - states[n].history[k]));
        }
    }
  EXPECT_GT(largest, 1e-3);
}

TEST_P(History, GivesTheSameBitsAfterARestart) {
  model::Model model = bodies::make_element_model(GetParam());
  bodies::stir(model, 0.2);
  model.steps = 4;
  jit::Engine engine;
  std::vector<solve::State> states;
  {
    const solve::Objective objective(model, engine);
    states = solve::simulate(objective, model, {}, solve::initial_state(model));
  }
  const solve::Objective objective(model, engine);
  solve::State state = states[2];
  for (int step = 2; step < 4; ++step) solve::advance(objective, model, step, {}, state);
  EXPECT_EQ(state.positions, states[4].positions);
  EXPECT_EQ(state.history, states[4].history);
}

TEST_P(History, OfTheEndOfTheStepIsWhatTheReportedEnergyBelongsTo) {
  model::Model model = bodies::make_element_model(GetParam());
  bodies::stir(model, 0.2);
  jit::Engine engine;
  const solve::Objective objective(model, engine), other(model, engine);
  solve::State state = solve::initial_state(model);
  const auto report = solve::advance(objective, model, 0, exactly(), state);
  const double before = other.stored_energy(state.positions);
  other.enter_step({model.time_step, model.time_step, state.positions, state.history});
  EXPECT_EQ(report.elastic_energy, other.stored_energy(state.positions));
  EXPECT_LT(report.elastic_energy, before);  // the viscous strain has followed
}

INSTANTIATE_TEST_SUITE_P(Shapes, History, testing::Values("tetrahedra", "hexahedra", "several_energies"),
                         [](const auto& chosen) { return std::string(chosen.param); });

// A free bar with dissipation on top of its elasticity, which swings or turns.
model::Model viscous_bar(double viscosity) {
  model::Model model = bodies::make_bar();
  model::Region region = model.regions[0];
  region.energy = bodies::hand_written("kelvin_voigt");
  region.parameters = {{viscosity}};
  region.overlay = true;
  region.density = 0;
  model.regions.push_back(region);
  model.steps = 5;
  return model;
}

double last_energy(const model::Model& model) {
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  double energy = 0;
  solve::simulate(objective, model, exactly(), solve::initial_state(model),
                  [&](int, const solve::State&, const solve::StepReport& report) {
                    energy = report.elastic_energy + report.kinetic_energy;
                  });
  return energy;
}

TEST(Dissipation, TakesEnergyOutOfADeformation) {
  model::Model thin = viscous_bar(1e-9), thick = viscous_bar(1e4);
  for (auto* model : {&thin, &thick}) {  // one end sways, the other is held: no energy is left in the end
    bodies::hold_end(*model, false);
    bodies::stir(*model, 0.3);
  }
  EXPECT_LT(last_energy(thick), 0.5 * last_energy(thin));
  EXPECT_GT(last_energy(thin), 0);
}

TEST(Dissipation, ExertsNothingOnABodyThatTurns) {
  const model::Model model = viscous_bar(200);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  const auto turned = [&](double angle) {
    auto x = model.initial_positions;
    for (std::size_t i = 0; i < x.size(); i += 3) {
      const double a = x[i], b = x[i + 1];
      x[i] = std::cos(angle) * a - std::sin(angle) * b;
      x[i + 1] = std::sin(angle) * a + std::cos(angle) * b;
    }
    return x;
  };
  objective.enter_step({0.01, 0.01, turned(0.2), {}});
  std::vector<double> force(model.initial_positions.size()), bent = force;
  objective.add_elastic_gradient(turned(0.9), force);
  EXPECT_LT(device::norm(force), 1e-10);
  objective.enter_step({0.01, 0.01, model.initial_positions, {}});
  auto x = turned(0.9);
  x[0] += 1e-3;
  objective.add_elastic_gradient(x, bent);
  EXPECT_GT(device::norm(bent), 1e-2);
}

TEST(Dissipation, IsNoStoredEnergy) {
  const model::Model model = viscous_bar(200);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  auto x = model.initial_positions;
  for (double& value : x) value *= 1.1;
  model::Model elastic = model;
  elastic.regions.pop_back();
  const double stored = solve::Objective(elastic, engine).elastic_energy(x).value;
  EXPECT_NEAR(objective.stored_energy(x), stored, 1e-14);
  EXPECT_GT(objective.elastic_energy(x).value, 1.1 * stored);
}

// The fibre stiffness of the hand-written solid as an actuation.
model::Model actuated() {
  model::Model model = bodies::make_element_model("hexahedra");
  auto energy = std::make_shared<ir::Energy>(*model.regions[0].energy);
  energy->parameters[1].varies_in_time = true;
  model.regions[0].energy = energy;
  model.regions[0].signals = {{}, {{0.05, 1}, {0.25, 9}}};
  bodies::stir(model, 0.2);
  return model;
}

TEST(Actuation, TakesItsValueAtTheEndOfEachStep) {
  const model::Model model = actuated();
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  solve::State state = solve::initial_state(model);
  const double ends[] = {3, 7, 9};  // at 0.1, 0.2 and 0.3 s
  for (int step = 0; step < 3; ++step) {
    model::Model fixed = model;
    fixed.regions[0].signals.clear();
    fixed.regions[0].parameters[1] = {ends[step]};
    solve::State expected = state;
    solve::advance(solve::Objective(fixed, engine), fixed, step, exactly(), expected);
    solve::advance(objective, model, step, exactly(), state);
    for (std::size_t i = 0; i < state.positions.size(); ++i)
      EXPECT_NEAR(state.positions[i], expected.positions[i], 1e-8) << step;
  }
}

TEST(Actuation, KeepsItsKeyFramesWhenOtherValuesChange) {
  const model::Model model = actuated();
  jit::Engine engine;
  solve::Objective objective(model, engine);
  objective.enter_step({0.25, model.time_step, model.initial_positions, model::initial_history(model)});
  auto x = model.initial_positions;
  for (double& value : x) value *= 1.1;
  const double before = objective.elastic_energy(x).value;
  model::Model heavier = model;
  heavier.regions[0].density = 2;
  objective.set_values(heavier);
  EXPECT_EQ(objective.elastic_energy(x).value, before);
}

TEST(Bdf2, RefusesAHistoryByNameOfMaterialAndEnergy) {
  model::Model model = bodies::make_element_model("tetrahedra");
  model.integrator = model::Integrator::bdf2;
  EXPECT_THAT([&] { model::validate(model); },
              ThrowsMessage<Error>(
                  AllOf(HasSubstr("material 'body'"), HasSubstr("'solid_with_inputs'"), HasSubstr("implicit_euler"))));
}

}  // namespace
}  // namespace proxima
