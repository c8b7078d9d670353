#include <gtest/gtest.h>

#include <cmath>

#include "runtime/adjoint/adjoint.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/model/obstacle.hpp"
#include "tests/adjoint/taylor.hpp"
#include "tests/contact/touching_bodies.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/contact_scenes.hpp"

namespace proxima {
namespace {

using bodies::ContactScene;

constexpr int steps = 8;
constexpr solve::StepSettings exact{.tolerance = 1e-13};
constexpr adjoint::AdjointSettings exact_adjoint{.tolerance = 1e-12, .rest_shape = true};

// A phase of contact, and which states it must have gone through.
struct Phase {
  const char* name;
  ContactScene scene;
  double speed;  // m/s, along x
  bool stick, slip;
  contact::CondensedStorage storage = contact::CondensedStorage::stored;

  solve::StepSettings forward() const {
    solve::StepSettings settings = exact;
    settings.contact.matrix = storage;
    return settings;
  }
  adjoint::AdjointSettings backward() const {
    adjoint::AdjointSettings settings = exact_adjoint;
    settings.contact_matrix = storage;
    return settings;
  }
};

constexpr Phase phases[] = {
    {"Stick", {.slope = 10, .friction = 20}, 0, true, false},
    {"Slip", {.slope = 30, .friction = 0.2, .height = 0.001}, 0.3, false, true},
    {"Frictionless", {.slope = 10, .height = 0.001}, 0.2, false, true},
    {"Separated", {.friction = 0.5, .height = 0.1}, 0.2, false, false},
    {"Mixed", {.slope = 12, .friction = 0.5}, 0.02, true, true},
    {"Bounce", {.friction = 0.3, .restitution = 0.5, .height = 0.01}, 0.2, false, true},
    {"Ball", {.friction = 0.3, .height = 0.002, .ball = true}, 0.1, true, true},
    {"Elliptic",
     {.slope = 30, .friction = 0.2, .height = 0.001, .across = 0.35, .direction = {1, 0.7, 0.2}},
     0.3,
     false,
     true},
    {"EllipticBall",
     {.friction = 0.5, .height = 0.002, .ball = true, .across = 0.2, .direction = {0.3, 1, 0.1}},
     0.1,
     true,
     true},
    {"Matchstick",
     {.slope = 30,
      .friction = 0.2,
      .height = 0.001,
      .across = 0.35,
      .direction = {1, 0.7, 0.2},
      .own_direction = {0.2, 1, 0},
      .crossed = 0.5},
     0.3,
     false,
     true},
    {"MatchstickBall",
     {.friction = 0.5,
      .height = 0.002,
      .ball = true,
      .across = 0.2,
      .direction = {0.3, 1, 0.1},
      .own_direction = {1, 0.3, 0},
      .crossed = 0.3},
     0.1,
     true,
     true},
    {"SlipMatrixFree",
     {.slope = 30, .friction = 0.2, .height = 0.001},
     0.3,
     false,
     true,
     contact::CondensedStorage::matrix_free},
    {"MixedMatrixFree", {.slope = 12, .friction = 0.5}, 0.02, true, true, contact::CondensedStorage::matrix_free},
    {"BallMatrixFree",
     {.friction = 0.3, .height = 0.002, .ball = true},
     0.1,
     true,
     true,
     contact::CondensedStorage::matrix_free},
    {"Penalty",
     {.slope = 12, .friction = 0.5, .height = 0.0005, .penalty = model::Penalty{1e9, 4, 5e-2}},
     0.2,
     true,
     true},
    {"PenaltyBall",
     {.friction = 0.5,
      .height = 0.0005,
      .ball = true,
      .across = 0.2,
      .direction = {0.3, 1, 0.1},
      .penalty = model::Penalty{1e7, 3, 5e-2}},
     0.1,
     true,
     true},
};

// Everything that a state has.
std::shared_ptr<const adjoint::Loss> make_loss() {
  const auto value = [](int frame, std::span<const double> x, std::span<const double> v, std::span<double> by_x,
                        std::span<double> by_v) {
    if (frame != steps) return 0.0;
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double a = std::sin(1.3 * static_cast<double>(i) + 0.2), b = 0.01 * std::cos(0.7 * static_cast<double>(i));
      sum += a * x[i] + x[i] * x[i] + b * v[i];
      if (by_x.empty()) continue;
      by_x[i] += a + 2 * x[i];
      by_v[i] += b;
    }
    return sum;
  };
  return std::make_shared<adjoint::UserLoss>(steps, value);
}

class ContactGradient : public testing::TestWithParam<Phase> {
 protected:
  ContactGradient() : model_(bodies::make_block(GetParam().scene)), loss_(make_loss()) {
    model_.steps = steps;
    for (std::size_t i = 0; i < model_.initial_velocities.size(); ++i)
      model_.initial_velocities[i] =
          (i % 3 == 0 ? GetParam().speed : 0) + 0.1 * GetParam().speed * std::sin(static_cast<double>(i));
    const solve::Objective objective(model_, engine_);
    gradient_ = adjoint::rollout_gradient(objective, model_, GetParam().forward(), GetParam().backward(), *loss_,
                                          solve::initial_state(model_));
  }

  // What the loss does not depend on must have no gradient, and no more can be said of it.
  template <class Apply>
  void check(std::vector<double> x, std::vector<double> slope, double size, Apply apply) {
    const auto loss_of = [&](const model::Model& model) {
      return test::rollout_loss(engine_, model, GetParam().forward(), *loss_);
    };
    const auto direction = test::waves(x.size(), size);
    auto model = model_;
    std::vector<double> moved = x;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += 1e-2 * direction[i];
    apply(model, moved);
    if (std::abs(loss_of(model) - gradient_.loss) > 1e-12)
      test::expect_gradient(model_, loss_of, x, slope, direction, apply);
    else
      for (std::size_t i = 0; i < slope.size(); ++i) EXPECT_LT(std::abs(slope[i] * direction[i]), 1e-9);
  }

  jit::Engine engine_;
  model::Model model_;
  std::shared_ptr<const adjoint::Loss> loss_;
  adjoint::Gradient gradient_;
};

TEST_P(ContactGradient, GoesThroughThePhase) {
  const solve::Objective objective(model_, engine_);
  int stick = 0, slip = 0;
  solve::simulate(objective, model_, GetParam().forward(), solve::initial_state(model_),
                  [&](int, const solve::State&, const solve::StepReport& report) {
                    stick += report.contact.stick;
                    slip += report.contact.slip;
                  });
  EXPECT_EQ(stick > 0, GetParam().stick);
  EXPECT_EQ(slip > 0, GetParam().slip);
  EXPECT_TRUE(gradient_.kinks.empty());
}

TEST_P(ContactGradient, ByTheInitialState) {
  // Far from a kink the loss is so nearly quadratic that it takes more to see it.
  const bool rough = GetParam().scene.friction > 0;
  const double larger = GetParam().slip ? (rough ? 1 : 10) : GetParam().stick ? 30 : 1000;
  check(model_.initial_velocities, gradient_.velocities, larger * 1e-3,
        [](model::Model& model, std::span<const double> x) { model.initial_velocities.assign(x.begin(), x.end()); });
  check(model_.initial_positions, gradient_.positions, larger * 1e-5,
        [](model::Model& model, std::span<const double> x) { model.initial_positions.assign(x.begin(), x.end()); });
}

TEST_P(ContactGradient, ByTheMaterialAndGravity) {
  // What touches nothing hardly deforms.
  const double share = GetParam().stick || GetParam().slip ? 0.05 : 2;
  check({model_.regions[0].parameters[0][0]}, gradient_.regions[0].parameters[0],
        share * model_.regions[0].parameters[0][0],
        [](model::Model& model, std::span<const double> x) { model.regions[0].parameters[0][0] = x[0]; });
  check({model_.gravity.begin(), model_.gravity.end()}, {gradient_.gravity.begin(), gradient_.gravity.end()}, 1e-2,
        [](model::Model& model, std::span<const double> x) { std::copy(x.begin(), x.end(), model.gravity.begin()); });
}

TEST_P(ContactGradient, ByTheRestShape) {
  std::vector<double> rest;
  for (const auto& node : model_.mesh.nodes) rest.insert(rest.end(), node.begin(), node.end());
  check(rest, gradient_.rest, GetParam().slip ? 1e-4 : 1e-3, [](model::Model& model, std::span<const double> x) {
    for (std::size_t i = 0; i < x.size(); ++i) model.mesh.nodes[i / 3][i % 3] = x[i];
  });
}

TEST_P(ContactGradient, TakesAnotherRestShape) {
  solve::Objective objective(model_, engine_);
  auto changed = model_;
  const auto moved = test::waves(3 * changed.mesh.nodes.size(), 1e-3);
  for (std::size_t i = 0; i < moved.size(); ++i) changed.mesh.nodes[i / 3][i % 3] += moved[i];
  objective.set_values(changed);
  const auto states = solve::simulate(objective, changed, GetParam().forward(), solve::initial_state(changed));
  EXPECT_EQ(adjoint::total_loss(*loss_, states), test::rollout_loss(engine_, changed, GetParam().forward(), *loss_));
}

TEST_P(ContactGradient, ByTheLaw) {
  if (GetParam().scene.friction > 0)
    check({GetParam().scene.friction}, gradient_.friction, 1e-2,
          [](model::Model& model, std::span<const double> x) { model.contacts[0].friction = x[0]; });
  if (GetParam().scene.across > 0)
    check({GetParam().scene.across}, gradient_.friction_across, 1e-2,
          [](model::Model& model, std::span<const double> x) { model.contacts[0].friction_across = x[0]; });
  if (GetParam().scene.crossed > 0)
    check({GetParam().scene.crossed}, gradient_.friction_crossed, 1e-2,
          [](model::Model& model, std::span<const double> x) { model.contacts[0].friction_crossed = x[0]; });
  if (const auto& penalty = GetParam().scene.penalty) {
    check({penalty->stiffness}, gradient_.penalty_stiffness, 0.1 * penalty->stiffness,
          [](model::Model& model, std::span<const double> x) { model.contacts[0].penalty->stiffness = x[0]; });
    check({penalty->slip_speed}, gradient_.slip_speed, 0.1 * penalty->slip_speed,
          [](model::Model& model, std::span<const double> x) { model.contacts[0].penalty->slip_speed = x[0]; });
    return;
  }
  check({GetParam().scene.restitution}, gradient_.restitution, 1e-2,
        [](model::Model& model, std::span<const double> x) { model.contacts[0].restitution = x[0]; });
}

// Friction cannot be negative: where there is none, the derivative is that to the right.
TEST(ContactGradientAtTheEdge, ByFrictionThatIsZero) {
  jit::Engine engine;
  auto model = bodies::make_block(phases[2].scene);
  model.steps = steps;
  for (std::size_t i = 0; i < model.initial_velocities.size(); i += 3) model.initial_velocities[i] = 0.2;
  const auto loss = make_loss();
  const solve::Objective objective(model, engine);
  const auto gradient =
      adjoint::rollout_gradient(objective, model, exact, exact_adjoint, *loss, solve::initial_state(model));
  for (const double friction : {1e-4, 1e-5}) {
    auto rough = model;
    rough.contacts[0].friction = friction;
    const double slope = (test::rollout_loss(engine, rough, exact, *loss) - gradient.loss) / friction;
    EXPECT_NEAR(slope, gradient.friction[0], 10 * friction * std::abs(slope));
  }
}

TEST_P(ContactGradient, ByTheObstacle) {
  const auto& by = gradient_.obstacles[0];
  const auto& pose = model_.obstacles[0].motion[0];
  check({pose.translation.begin(), pose.translation.end()},
        {by.motion[0].translation.begin(), by.motion[0].translation.end()}, 1e-5,
        [](model::Model& model, std::span<const double> x) {
          std::copy(x.begin(), x.end(), model.obstacles[0].motion[0].translation.begin());
        });
  check({pose.rotation.begin(), pose.rotation.end()}, {by.motion[0].rotation.begin(), by.motion[0].rotation.end()},
        1e-4, [](model::Model& model, std::span<const double> x) {
          std::copy(x.begin(), x.end(), model.obstacles[0].motion[0].rotation.begin());
        });
  if (!GetParam().scene.ball) return;
  check({0.1}, by.parameters[0], 1e-5, [](model::Model& model, std::span<const double> x) {
    std::get<model::AnalyticDistance>(model.obstacles[0].shape).parameters[0][0] = x[0];
  });
}

// A small box falls onto a corner and an edge of a larger one that is held from below, slides and turns: vertices on
// faces and edges on edges, whose normals and weights move with both.
struct BodyLaw {
  const char* name;
  double across = 0, crossed = 0;
  mesh::Vector3 direction{}, other_direction{};  // of the larger body, of the smaller
};

class GradientOfBodies : public testing::TestWithParam<BodyLaw> {};

TEST_P(GradientOfBodies, ThatTouchEachOther) {
  jit::Engine engine;
  model::Model model;
  test::add_body(model, mesh::make_box({3, 3, 2}, {0, 0, 0}, {0.1, 0.1, 0.06}));
  test::add_body(model, test::turned(mesh::make_box({2, 2, 2}, {-0.03, -0.03, -0.03}, {0.03, 0.03, 0.03}),
                                     {0.7, 0.5, 0.2}, {0.058, 0.039, 0.112}));
  bodies::fill_with_solid(model, 4e4);
  model::Dirichlet base;
  for (std::int32_t node = 0; node < model.bodies[0].nodes; ++node)
    if (model.mesh.nodes[static_cast<std::size_t>(node)][2] < 1e-9) base.nodes.push_back(node);
  model.dirichlet = {base};
  test::add_pair(model, 0, 1);
  auto& law = model.contacts[0];
  law.friction = 0.3;
  law.friction_across = GetParam().across;
  law.friction_crossed = GetParam().crossed;
  law.friction_direction = GetParam().direction;
  law.other_direction = GetParam().other_direction;
  model.gravity = {0, 0, -9.81};
  model.time_step = 0.01;
  model.steps = steps;
  const auto first = 3 * static_cast<std::size_t>(model.bodies[1].first_node);
  for (std::size_t i = first; i < model.initial_velocities.size(); ++i)
    model.initial_velocities[i] = i % 3 == 0 ? 0.2 : i % 3 == 2 ? -0.3 : 0.05;
  // Gaps between surfaces have fewer digits than those to a plane.
  constexpr solve::StepSettings settings{.tolerance = 1e-10};
  const auto loss = make_loss();
  const solve::Objective objective(model, engine);
  int touching = 0;
  solve::simulate(objective, model, settings, solve::initial_state(model),
                  [&](int, const solve::State&, const solve::StepReport& report) {
                    touching += report.contact.stick + report.contact.slip;
                  });
  ASSERT_GT(touching, 5) << touching;
  const auto gradient =
      adjoint::rollout_gradient(objective, model, settings, exact_adjoint, *loss, solve::initial_state(model));
  const auto loss_of = [&](const model::Model& changed) {
    return test::rollout_loss(engine, changed, settings, *loss);
  };
  auto velocity = test::waves(model.initial_velocities.size(), 1e-3);
  test::expect_gradient(
      model, loss_of, model.initial_velocities, gradient.velocities, velocity,
      [](model::Model& changed, std::span<const double> x) { changed.initial_velocities.assign(x.begin(), x.end()); });
  test::expect_gradient(model, loss_of, std::vector<double>{0.3}, gradient.friction, std::vector<double>{1e-2},
                        [](model::Model& changed, std::span<const double> x) { changed.contacts[0].friction = x[0]; });
  test::expect_gradient(
      model, loss_of, model.regions[0].parameters[0], gradient.regions[0].parameters[0], std::vector<double>{400.0},
      [](model::Model& changed, std::span<const double> x) { changed.regions[0].parameters[0][0] = x[0]; });
  if (GetParam().across == 0) return;
  test::expect_gradient(
      model, loss_of, model.initial_positions, gradient.positions, test::waves(model.initial_positions.size(), 1e-5),
      [](model::Model& changed, std::span<const double> x) { changed.initial_positions.assign(x.begin(), x.end()); });
  test::expect_gradient(
      model, loss_of, std::vector<double>{GetParam().across}, gradient.friction_across, std::vector<double>{1e-2},
      [](model::Model& changed, std::span<const double> x) { changed.contacts[0].friction_across = x[0]; });
  std::vector<double> rest;
  for (const auto& node : model.mesh.nodes) rest.insert(rest.end(), node.begin(), node.end());
  test::expect_gradient(model, loss_of, rest, gradient.rest, test::waves(rest.size(), 1e-4),
                        [](model::Model& changed, std::span<const double> x) {
                          for (std::size_t i = 0; i < x.size(); ++i) changed.mesh.nodes[i / 3][i % 3] = x[i];
                        });
  if (GetParam().crossed == 0) return;
  test::expect_gradient(
      model, loss_of, std::vector<double>{GetParam().crossed}, gradient.friction_crossed, std::vector<double>{1e-2},
      [](model::Model& changed, std::span<const double> x) { changed.contacts[0].friction_crossed = x[0]; });
}

INSTANTIATE_TEST_SUITE_P(Laws, GradientOfBodies,
                         testing::Values(BodyLaw{"Round"}, BodyLaw{"DirectionOfTheLarger", 0.5, 0, {1, 0.8, 0}},
                                         BodyLaw{"DirectionOfTheSmaller", 0.5, 0, {}, {0.3, 1, 0.4}},
                                         BodyLaw{"Matchsticks", 0.5, 0.4, {1, 0.8, 0}, {0.3, 1, 0.4}}),
                         [](const auto& law) { return std::string(law.param.name); });

std::string phase_name(const testing::TestParamInfo<Phase>& phase) { return phase.param.name; }
INSTANTIATE_TEST_SUITE_P(Phases, ContactGradient, testing::ValuesIn(phases), phase_name);

}  // namespace
}  // namespace proxima
