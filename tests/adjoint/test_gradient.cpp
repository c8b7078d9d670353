#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/adjoint.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/optimize/gradcheck.hpp"
#include "tests/adjoint/taylor.hpp"
#include "tests/solve/bodies.hpp"

namespace proxima {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int steps = 6;

// Everything at once: recorded positions in two frames, centre of mass, chosen nodes, and a user's function of
// velocities.
std::shared_ptr<const adjoint::Loss> make_loss(const model::Model& model) {
  auto recorded = model.initial_positions;
  for (std::size_t i = 0; i < recorded.size(); ++i) recorded[i] += 0.01 * std::cos(static_cast<double>(i));
  const auto mass = adjoint::mass_weights(model::lumped_mass(model));
  const auto last = static_cast<std::int32_t>(mass.size()) - 1;
  const auto kinetic = [](int frame, std::span<const double>, std::span<const double> v, std::span<double>,
                          std::span<double> gradient) {
    if (frame != 0 && frame != steps - 2) return 0.0;
    double value = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      value += 1e-6 * v[i] * v[i];
      if (!gradient.empty()) gradient[i] += 2e-6 * v[i];
    }
    return value;
  };
  return std::make_shared<adjoint::SumLoss>(std::vector<adjoint::SumLoss::Term>{
      {1.0, std::make_shared<adjoint::RecordedMotion>(std::map<int, std::vector<double>>{{0, recorded}, {3, recorded}},
                                                      adjoint::uniform_weights(mass.size()))},
      {0.5, std::make_shared<adjoint::CentreTarget>(steps, model::Vector3{0.1, 0.02, 0.05}, mass)},
      {2.0, std::make_shared<adjoint::NodeTargets>(steps - 1, std::vector<std::int32_t>{last, last - 4},
                                                   std::vector<model::Vector3>{{0.1, 0.1, 0}, {0, 0.1, 0.1}})},
      {1.0, std::make_shared<adjoint::UserLoss>(steps - 2, kinetic)}});
}

// Rollouts are solved to rounding here: what is tested is the derivative, not the tolerance.
constexpr solve::StepSettings exact{.tolerance = 1e-13};
constexpr adjoint::AdjointSettings exact_adjoint{.tolerance = 1e-12, .max_cg = 5000};

class GradientOfMixedScene : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    engine = new jit::Engine;
    model = new model::Model(bodies::make_mixed_scene(steps));
    loss = new std::shared_ptr<const adjoint::Loss>(make_loss(*model));
    const solve::Objective objective(*model, *engine);
    forces = new std::vector<std::vector<double>>(steps);
    gradient = new adjoint::Gradient(adjoint::rollout_gradient(
        objective, *model, exact, exact_adjoint, **loss, solve::initial_state(*model),
        [](const adjoint::BackwardStep& step) { (*forces)[step.step].assign(step.force.begin(), step.force.end()); }));
  }
  static void TearDownTestSuite() {
    delete gradient;
    delete forces;
    delete loss;
    delete model;
    delete engine;
  }
  static double loss_of(const model::Model& changed) {
    const solve::Objective objective(changed, *engine);
    return adjoint::total_loss(**loss, solve::simulate(objective, changed, exact, solve::initial_state(changed)));
  }
  // Taylor test of x -> loss where `apply` puts x into a model.
  template <class Apply>
  static void check(std::span<const double> x, std::span<const double> slope, std::span<const double> direction,
                    Apply apply) {
    test::expect_gradient(
        *model, [&](const model::Model& changed) { return loss_of(changed); }, x, slope, direction, apply);
  }
  static jit::Engine* engine;
  static model::Model* model;
  static std::shared_ptr<const adjoint::Loss>* loss;
  static adjoint::Gradient* gradient;
  static std::vector<std::vector<double>>* forces;  // by the nodal force in each step
};
jit::Engine* GradientOfMixedScene::engine;
model::Model* GradientOfMixedScene::model;
std::shared_ptr<const adjoint::Loss>* GradientOfMixedScene::loss;
adjoint::Gradient* GradientOfMixedScene::gradient;
std::vector<std::vector<double>>* GradientOfMixedScene::forces;

TEST_F(GradientOfMixedScene, ComesWithItsEvidence) {
  EXPECT_DOUBLE_EQ(gradient->loss, loss_of(*model));
  EXPECT_GT(gradient->a_solves, steps);
  EXPECT_GT(gradient->a_solves_forward, steps);
  EXPECT_LT(gradient->worst_step_residual, 1e-12);
  EXPECT_LT(gradient->worst_residual, 1e-10);
  EXPECT_TRUE(gradient->negative_curvature.empty());
  EXPECT_GT(gradient->seconds_forward, 0);
  EXPECT_GT(gradient->seconds_backward, 0);
}

TEST_F(GradientOfMixedScene, ToHeldNodesIsZero) {
  for (const auto node : model->dirichlet[0].nodes)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(gradient->positions[3 * static_cast<std::size_t>(node) + axis], 0);
      EXPECT_EQ(gradient->velocities[3 * static_cast<std::size_t>(node) + axis], 0);
      EXPECT_EQ((*forces)[2][3 * static_cast<std::size_t>(node) + axis], 0);
    }
}

TEST_F(GradientOfMixedScene, ToNodalForces) {
  const std::size_t nodes = model->mesh.nodes.size();
  for (const int step : {0, 2, steps - 1}) {
    SCOPED_TRACE(testing::Message() << "step " << step);
    const std::vector<double> none(3 * nodes);
    check(none, (*forces)[step], test::waves(3 * nodes, 0.02), [&](model::Model& changed, auto force) {
      const double end = (step + 1) * changed.time_step;
      for (std::size_t node = 0; node < nodes; ++node)
        changed.forces.push_back({{static_cast<std::int32_t>(node)},
                                  {force[3 * node], force[3 * node + 1], force[3 * node + 2]},
                                  end - changed.time_step,
                                  end});
    });
  }
}

TEST_F(GradientOfMixedScene, RefusesALossBeyondTheEnd) {
  model::Model shorter = *model;
  shorter.steps = steps - 1;
  EXPECT_THAT([&] { loss_of(shorter); }, ThrowsMessage<Error>(HasSubstr("frame 6")));
}

TEST(Gradient, HasTheSameBitsForAnyNumberOfThreads) {
  // Large enough for every loop to be cut into several tasks.
  const model::Model model = bodies::make_mixed_scene(2, 7);
  const adjoint::RecordedMotion loss({{1, model.initial_positions}, {2, model.initial_positions}},
                                     adjoint::uniform_weights(model.mesh.nodes.size()));
  const int before = device::threads();
  std::vector<adjoint::Gradient> found;
  jit::Engine engine;
  for (const int threads : {1, 2}) {
    device::set_threads(threads);
    const solve::Objective objective(model, engine);
    found.push_back(adjoint::rollout_gradient(objective, model, {.tolerance = 1e-4}, {.tolerance = 1e-4}, loss,
                                              solve::initial_state(model)));
  }
  device::set_threads(before);
  EXPECT_EQ(found[0].loss, found[1].loss);
  EXPECT_EQ(found[0].positions, found[1].positions);
  EXPECT_EQ(found[0].velocities, found[1].velocities);
  for (std::size_t r = 0; r < model.regions.size(); ++r) {
    EXPECT_EQ(found[0].regions[r].parameters, found[1].regions[r].parameters);
    EXPECT_EQ(found[0].regions[r].density, found[1].regions[r].density);
  }
  EXPECT_EQ(found[0].nodal_forces, found[1].nodal_forces);
}

TEST(Gradient, ReportsAndSolvesAStepThatEndsAtASaddle) {
  // A perfectly straight bar under a press it could buckle from, with steps so long that inertia is no help: by
  // symmetry the motion stays straight, H is indefinite there, and the implicit function theorem holds all the same.
  model::Model model = bodies::make_bar(10, 0.02);
  bodies::hold_end(model, false);
  bodies::hold_end(model, true, {{0, {}, {}}, {1, {-0.03, 0, 0}, {}}});
  model.time_step = 1;
  model.steps = 1;
  for (std::size_t i = 0; i < model.initial_positions.size(); i += 3) model.initial_positions[i] *= 0.7;
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  const adjoint::CentreTarget loss(1, {0.05, 0.02, 0.02}, adjoint::uniform_weights(model.mesh.nodes.size()));
  // The state is taken as given: what is asked of backward() is one exact solve with the indefinite Hessian there.
  const std::vector<solve::State> states = {solve::initial_state(model),
                                            {model.initial_positions, model.initial_velocities}};
  adjoint::Tape tape(states);
  const auto gradient = adjoint::backward(objective, model, {}, {}, loss, tape);
  EXPECT_EQ(gradient.negative_curvature, std::vector<int>{1});
  EXPECT_LE(gradient.worst_residual, 1e-9);
}

TEST(Losses, RefuseWhatDoesNotFit) {
  EXPECT_THROW(adjoint::RecordedMotion({}, adjoint::uniform_weights(2)), Error);
  EXPECT_THROW(adjoint::RecordedMotion({{1, {0, 0, 0}}}, adjoint::uniform_weights(2)), Error);
  EXPECT_THROW(adjoint::RecordedMotion({{-1, {0, 0, 0}}}, adjoint::uniform_weights(1)), Error);
  EXPECT_THROW(adjoint::NodeTargets(1, {}, {}), Error);
  EXPECT_THROW(adjoint::NodeTargets(1, {0}, {}), Error);
}

TEST(Losses, AreMeansInSquareMetres) {
  // Two nodes, one 3 m away, one 4 m away: mean of squares 12.5 m^2 in each of two frames.
  const std::vector<double> here(6), there = {3, 0, 0, 0, 4, 0};
  const adjoint::RecordedMotion recorded({{1, there}, {2, there}}, adjoint::uniform_weights(2));
  EXPECT_DOUBLE_EQ(recorded.frame(1, here, {}, {}, {}) + recorded.frame(2, here, {}, {}, {}), 12.5);
  EXPECT_EQ(recorded.frame(3, here, {}, {}, {}), 0);
  const adjoint::NodeTargets targets(1, {1}, {{0, 4, 0}});
  EXPECT_DOUBLE_EQ(targets.frame(1, here, {}, {}, {}), 16);
  const adjoint::CentreTarget centre(1, {0, 0, 2}, adjoint::mass_weights(std::vector<double>{1, 3}));
  EXPECT_DOUBLE_EQ(centre.frame(1, there, {}, {}, {}), 0.75 * 0.75 + 9 + 4);
}

}  // namespace
}  // namespace proxima
