// Estimated errors of loss and gradient against the errors that there are.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/adjoint/error_estimate.hpp"
#include "runtime/adjoint/losses.hpp"
#include "tests/contact/touching_bodies.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/contact_scenes.hpp"
#include "tests/solve/driven.hpp"
#include "tests/solve/element_models.hpp"

namespace proxima {
namespace {

constexpr int steps = 12;
constexpr double exactly = 1e-13;
// With contrast a tolerance is met by the stiff part first; down to the last bit the soft one is solved too.
constexpr solve::StepSettings to_the_last_bit{.tolerance = 1e-17, .attainable = 0.01};
constexpr solve::StepSettings with_contact{.tolerance = 1e-12};

model::Model damped(model::Integrator integrator) {
  model::Model model = bodies::make_mixed_scene(steps);
  model.integrator = integrator;
  model.regions[1].damping.stiffness = {4e-3};
  return model;
}

template <int contrast, int hundredths_nu>
model::Model contrasted() {
  model::Model model = bodies::make_mixed_scene(steps);
  bodies::set_contrast(model, contrast, 0.01 * hundredths_nu);
  return model;
}

model::Model with_history() {
  model::Model model = bodies::make_element_model("tetrahedra");
  bodies::stir(model, 0.2);
  model.steps = steps;
  return model;
}

model::Model touching(const bodies::ContactScene& scene, double speed) {
  model::Model model = bodies::make_block(scene);
  model.steps = steps;
  for (std::size_t i = 0; i < model.initial_velocities.size(); i += 3) model.initial_velocities[i] = speed;
  return model;
}

// The scene "grooves": a block lies flat on a board, and both have directions of friction.
model::Model grooves() {
  model::Model model;
  test::add_body(model, mesh::make_box({2, 2, 1}, {-0.1, -0.2, -0.05}, {0.9, 0.8, 0}));
  test::add_body(model, mesh::make_box({4, 4, 2}, {-0.05, -0.05, 0}, {0.05, 0.05, 0.05}));
  bodies::fill_with_solid(model, 1e6);
  test::hold(model, 0);
  test::add_pair(model, 1, 0);
  auto& law = model.contacts[0];
  law.friction = 0.1;
  law.friction_across = 0.6;
  law.friction_crossed = 0.3;
  law.friction_direction = {0.2588, 0.9659, 0};
  law.other_direction = {0.8660, 0.5, 0};
  model.gravity = {4.1459, 0, -8.8909};
  model.time_step = 0.01;
  model.steps = steps;
  return model;
}

struct Case {
  const char* name;
  model::Model (*make)();
};

adjoint::RecordedMotion loss_of(const model::Model& model) {
  return {{{model.steps / 2, model.initial_positions}, {model.steps, model.initial_positions}},
          adjoint::uniform_weights(model.mesh.nodes.size())};
}

// Where an error is as large as what it is the error of, the first order says that much and no more; below `known`, how
// exact the gradient is that errors are taken against, there is nothing to compare.
void expect_within_a_factor_of_three(double estimated, double there_is, double known) {
  if (estimated < known && there_is < known) return;
  if (there_is > 0.5) {
    EXPECT_GT(estimated, 0.5);
    return;
  }
  EXPECT_LT(estimated, 3 * there_is);
  EXPECT_GT(estimated, there_is / 3);
}

class Errors : public testing::TestWithParam<Case> {
 protected:
  adjoint::Gradient gradient(double forward, double backward, bool estimate = true) const {
    return adjoint::rollout_gradient(
        objective, model, forward == exactly ? exact_steps() : solve::StepSettings{.tolerance = forward},
        {.tolerance = backward, .estimate_errors = estimate}, loss_of(model), solve::initial_state(model));
  }

  solve::StepSettings exact_steps() const { return model.contacts.empty() ? to_the_last_bit : with_contact; }

  model::Model model = GetParam().make();
  jit::Engine engine;
  solve::Objective objective{model, engine};
};

TEST_P(Errors, OfTheStepsAreEstimatedAndFallWithTheTolerance) {
  const auto exact = gradient(exactly, exactly, false);
  EXPECT_FALSE(exact.errors.has_value());
  std::vector<double> errors;
  for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-9}) {
    SCOPED_TRACE(tolerance);
    const auto found = gradient(tolerance, exactly);
    const auto there_is = adjoint::largest_difference(model, found, exact);
    const double known = exact_steps().tolerance;
    expect_within_a_factor_of_three(found.errors->forward.relative, there_is.relative, known);
    expect_within_a_factor_of_three(found.errors->loss, std::abs(found.loss - exact.loss) / exact.loss, known);
    EXPECT_LT(found.errors->adjoint.relative, 1e-9);
    errors.push_back(there_is.relative);
  }
  // A step ends anywhere below its tolerance, so the error need not fall from each to the next.
  EXPECT_LT(errors[2], errors[0] / 100);
  EXPECT_LT(errors[3], errors[1] / 100);
}

TEST_P(Errors, OfTheAdjointAreEstimatedAndFallWithTheTolerance) {
  const auto exact = gradient(exactly, exactly, false);
  double before = INFINITY;
  for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-9}) {
    SCOPED_TRACE(tolerance);
    const auto found = gradient(exactly, tolerance);
    const auto there_is = adjoint::largest_difference(model, found, exact);
    expect_within_a_factor_of_three(found.errors->adjoint.relative, there_is.relative, exactly);
    EXPECT_FALSE(found.errors->adjoint.part.empty());
    EXPECT_LT(found.errors->forward.relative, 1e-9);
    EXPECT_LT(there_is.relative, before / 5);
    before = there_is.relative;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rollouts, Errors,
    testing::Values(Case{"implicit_euler", [] { return damped(model::Integrator::implicit_euler); }},
                    Case{"bdf2", [] { return damped(model::Integrator::bdf2); }},
                    Case{"quasi_static", [] { return damped(model::Integrator::quasi_static); }},
                    Case{"controller", [] { return bodies::make_driven_scene(steps); }}, Case{"history", with_history},
                    Case{"contrast_1_nu_30", contrasted<1, 30>}, Case{"contrast_1_nu_45", contrasted<1, 45>},
                    Case{"contrast_1_nu_49", contrasted<1, 49>}, Case{"contrast_100_nu_30", contrasted<100, 30>},
                    Case{"contrast_100_nu_45", contrasted<100, 45>}, Case{"contrast_100_nu_49", contrasted<100, 49>},
                    Case{"contrast_1e4_nu_30", contrasted<10000, 30>},
                    Case{"contrast_1e4_nu_45", contrasted<10000, 45>},
                    Case{"contrast_1e4_nu_49", contrasted<10000, 49>}),
    [](const auto& row) { return std::string(row.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Contact, Errors,
    testing::Values(
        Case{"sticks", [] { return touching({.slope = 10, .friction = 2}, 0); }},
        Case{"slides", [] { return touching({.slope = 30, .friction = 0.2, .height = 0.001}, 0.3); }},
        Case{"mixed", [] { return touching({.slope = 12, .friction = 0.5}, 0.02); }},
        Case{"bounces", [] { return touching({.friction = 0.3, .restitution = 0.5, .height = 0.01}, 0.2); }},
        Case{"ball", [] { return touching({.friction = 0.3, .height = 0.002, .ball = true}, 0.1); }},
        Case{"grooves", grooves},
        Case{"penalty",
             [] { return touching({.slope = 12, .friction = 0.5, .penalty = model::Penalty{1e6, 3, 5e-2}}, 0.2); }}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(ErrorEstimate, IsNearTheErrorOfABlockThatLiesFlat) {
  const model::Model model = grooves();
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  const auto gradient = [&](double tolerance) {
    return adjoint::rollout_gradient(objective, model, {.tolerance = tolerance},
                                     {.tolerance = exactly, .estimate_errors = true}, loss_of(model),
                                     solve::initial_state(model));
  };
  const auto exact = gradient(with_contact.tolerance);
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    SCOPED_TRACE(tolerance);
    const auto found = gradient(tolerance);
    const double there_is = adjoint::largest_difference(model, found, exact).relative;
    EXPECT_NEAR(found.errors->forward.relative / there_is, 1, 0.1);
    EXPECT_NEAR(found.errors->loss / (std::abs(found.loss - exact.loss) / exact.loss), 1, 0.1);
  }
}

TEST(ErrorEstimate, FollowsSubSteps) {
  model::Model model = bodies::make_bar();
  bodies::hold_end(model, false);
  bodies::hold_end(model, true, {{0, {}, {}}, {0.02, {0.01, 0, 0}, {1, 0, 0}}});
  model.integrator = model::Integrator::bdf2;
  model.steps = 4;
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  const solve::StepSettings halved{.tolerance = 1e-9, .solver = {.max_newton = 5}};
  const auto gradient = [&](double tolerance) {
    return adjoint::rollout_gradient(objective, model, halved, {.tolerance = tolerance, .estimate_errors = true},
                                     loss_of(model), solve::initial_state(model));
  };
  const auto exact = gradient(exactly), found = gradient(1e-5);
  expect_within_a_factor_of_three(found.errors->adjoint.relative,
                                  adjoint::largest_difference(model, found, exact).relative, exactly);
  EXPECT_LT(exact.errors->forward.relative, 1e-6);
  EXPECT_GT(exact.errors->forward.relative, 0);
}

}  // namespace
}  // namespace proxima
