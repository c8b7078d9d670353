// One set of variables for several worlds of a mesh: their losses and gradients side by side, and what they find.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/adjoint/losses.hpp"
#include "runtime/optimize/fit.hpp"
#include "runtime/optimize/gradcheck.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/energies.hpp"

namespace proxima {
namespace {

using optimize::Quantity;
using optimize::Scale;

constexpr double young = 4e4, poisson = 0.35, density = 1000;

model::Model bar(int steps) {
  model::Model model = bodies::make_bar();
  model.regions[0].energy = bodies::log_neo_hookean_engineering();
  model.regions[0].parameters = {{young}, {poisson}};
  bodies::hold_end(model, false);
  model.steps = steps;
  return model;
}

// What the motion of a model was, as a loss.
std::shared_ptr<const adjoint::Loss> record(const model::Model& model, jit::Engine& engine) {
  const solve::Objective objective(model, engine);
  const auto states = solve::simulate(objective, model, {.tolerance = 1e-11}, solve::initial_state(model));
  std::map<int, std::vector<double>> frames;
  for (int k = 1; k <= model.steps; ++k) frames[k] = states[static_cast<std::size_t>(k)].positions;
  return std::make_shared<adjoint::RecordedMotion>(frames, adjoint::uniform_weights(model.mesh.nodes.size()));
}

// Worlds with variables of the same meaning, and each of them alone.
class WorldFit : public testing::Test {
 protected:
  void add(const model::Model& model, const std::vector<optimize::Variable>& variables) {
    models_.push_back(std::make_unique<model::Model>(model));
    designs_.push_back(std::make_unique<optimize::Design>(model, variables));
    losses_.push_back(record(model, engine_));
    for (auto* objectives : {&objectives_, &single_})
      objectives->push_back(std::make_unique<solve::Objective>(model, engine_));
    worlds_.push_back({"world" + std::to_string(worlds_.size()), objectives_.back().get(), models_.back().get(),
                       designs_.back().get(), losses_.back().get(), settings_});
  }

  std::vector<optimize::PartValue> together(const std::vector<double>& u) {
    return optimize::rollout_values(worlds_, std::vector(worlds_.size(), u), work_);
  }
  optimize::PartValue alone(std::size_t k, std::span<const double> u) {
    return optimize::rollout_value(*single_[k], *models_[k], *designs_[k], *losses_[k], settings_, u);
  }
  optimize::PartValue sum(std::span<const double> u) {
    auto values = together({u.begin(), u.end()});
    for (std::size_t k = 1; k < values.size(); ++k) optimize::add(values[k].found, values[0].found);
    return values[0];
  }
  std::vector<double> start() const { return {designs_[0]->start().begin(), designs_[0]->start().end()}; }

  std::vector<std::vector<double>> find(const optimize::Part& part) const {
    const optimize::Design& design = *designs_[0];
    auto optimiser = settings_.optimiser;
    optimiser.relative_decrease = 1e-14;
    const auto found = optimize::minimise([&](std::span<const double> u) { return part(u).found; }, design.start(),
                                          design.lower(), design.upper(), optimiser);
    return design.physical(found.point);
  }

  jit::Engine engine_;
  optimize::FitSettings settings_;
  std::vector<std::unique_ptr<model::Model>> models_;
  std::vector<std::unique_ptr<optimize::Design>> designs_;
  std::vector<std::shared_ptr<const adjoint::Loss>> losses_;
  std::vector<std::unique_ptr<solve::Objective>> objectives_, single_;
  std::vector<optimize::FitWorld> worlds_;
  solve::SharedWork work_;
};

const std::vector<optimize::Variable> moduli = {
    {"E", Quantity::parameter, {0}, false, {}, Scale::logarithmic, 1e3, 1e6, {3e4}},
    {"nu", Quantity::parameter, {0}, false, {}, Scale::linear, 0.05, 0.48, {0.3}},
    {"density", Quantity::density, {0}, false, {}, Scale::linear, 500, 3000, {1200}}};

void expect_same(const optimize::PartValue& found, const optimize::PartValue& right) {
  EXPECT_EQ(found.found.value, right.found.value);
  EXPECT_EQ(found.found.gradient, right.found.gradient);
  EXPECT_EQ(found.cost.a_solves_forward, right.cost.a_solves_forward);
  EXPECT_EQ(found.cost.a_solves_backward, right.cost.a_solves_backward);
  EXPECT_GT(right.cost.a_solves_backward, 0);
}

// In the first world an end turns so far that its first step is halved, again and again, and the sweep backward ends
// with the A of the shortest part: that is not the A with which the next evaluation begins.
TEST_F(WorldFit, HasTheBitsOfSingleRollouts) {
  settings_.step.solver.max_newton = 4;
  model::Model twisted = bar(4);
  bodies::hold_end(twisted, true, {{0, {}, {}}, {0.01, {0.01, 0, 0}, {1.5, 0, 0}}});
  model::Model swinging = twisted;
  swinging.dirichlet.back().motion = {{0, {}, {}}, {0.1, {0, 0.01, 0}, {0.2, 0, 0}}};
  swinging.gravity = {0, 0, -9.81};
  model::Model thrown = swinging;
  thrown.steps = 6;
  bodies::stir(thrown, 0.4);
  for (const model::Model& model : {twisted, swinging, thrown}) add(model, moduli);
  std::vector<double> moved = start();
  moved[0] += 0.4;
  moved[2] *= 0.8;
  for (const auto& u : {start(), moved, start()}) {
    const auto found = together(u);
    for (std::size_t k = 0; k < worlds_.size(); ++k) {
      SCOPED_TRACE(worlds_[k].name);
      expect_same(found[k], alone(k, u));
    }
  }
  EXPECT_GT(objectives_[0]->factorizations(), 6) << "no step was halved";
  EXPECT_GT(3 * work_.applications, 4 * work_.passes);
}

TEST_F(WorldFit, ASumOfLossesHasTheSumOfGradients) {
  settings_.step.tolerance = 1e-13;
  settings_.adjoint.tolerance = 1e-12;
  for (const double speed : {0.0, 0.3, -0.5}) {
    model::Model model = bar(5);
    model.gravity = {0, speed, -9.81};
    bodies::stir(model, speed);
    add(model, moduli);
  }
  const std::vector<double> direction = {0.5, -0.3, 0.4};
  const auto here = start();
  const auto report = optimize::taylor_test([&](std::span<const double> u) { return sum(u).found.value; }, here,
                                            sum(here).found.gradient, direction);
  EXPECT_TRUE(report.passed()) << optimize::table(report);
}

// At rest under its weight a body shows only what its weight is beside its stiffness, and under a force, without
// weight, only its stiffness. From either motion alone nobody can tell both, from the two together they follow.
TEST_F(WorldFit, TwoMotionsTellWhatNeitherDoesAlone) {
  model::Model hanging = bar(2);
  hanging.integrator = model::Integrator::quasi_static;
  model::Model pulled = hanging;
  hanging.gravity = {0, 0, -9.81};
  model::NodalForce force;
  for (std::size_t node = 0; node < pulled.mesh.nodes.size(); ++node)
    if (pulled.mesh.nodes[node][0] > 0.099) force.nodes.push_back(static_cast<std::int32_t>(node));
  force.force = {0, 0, -0.02};
  force.end = 1;
  pulled.forces.push_back(force);
  const std::vector<optimize::Variable> both = {
      {"E", Quantity::parameter, {0}, false, {}, Scale::logarithmic, 1e3, 1e6, {6e4}},
      {"density", Quantity::density, {0}, false, {}, Scale::logarithmic, 100, 5000, {800}}};
  add(hanging, both);
  add(pulled, both);
  const auto found = find([&](std::span<const double> u) { return sum(u); });
  EXPECT_NEAR(found[0][0], young, 1e-3 * young);
  EXPECT_NEAR(found[1][0], density, 1e-3 * density);

  const auto by_weight = find([&](std::span<const double> u) { return alone(0, u); });
  EXPECT_NEAR(by_weight[0][0] / by_weight[1][0], young / density, 1e-3 * young / density);
  EXPECT_GT(std::abs(by_weight[0][0] / young - 1), 0.05);
  const auto by_force = find([&](std::span<const double> u) { return alone(1, u); });
  EXPECT_NEAR(by_force[0][0], young, 1e-3 * young);
  EXPECT_NEAR(by_force[1][0], 800, 1e-9);
}

}  // namespace
}  // namespace proxima
