// Gradients of rollouts with a controller: through what it reads of the state, and by its parameters.
#include <gtest/gtest.h>

#include "runtime/adjoint/losses.hpp"
#include "tests/adjoint/taylor.hpp"
#include "tests/solve/driven.hpp"

namespace proxima {
namespace {

constexpr int steps = 5;
constexpr solve::StepSettings exact{.tolerance = 1e-13};
constexpr adjoint::AdjointSettings exact_adjoint{.tolerance = 1e-12, .max_cg = 5000};

class ControllerGradients : public testing::TestWithParam<model::Integrator> {};

TEST_P(ControllerGradients, PassTheTaylorTest) {
  jit::Engine engine;
  model::Model model = bodies::make_driven_scene(steps);
  model.integrator = GetParam();
  const auto rest = model.initial_positions;
  const adjoint::RecordedMotion loss({{1, rest}, {3, rest}, {steps, rest}}, adjoint::uniform_weights(rest.size() / 3));
  const solve::Objective objective(model, engine);
  const auto gradient =
      adjoint::rollout_gradient(objective, model, exact, exact_adjoint, loss, solve::initial_state(model));
  const auto check = [&](const char* what, std::span<const double> x, std::span<const double> slope,
                         std::span<const double> direction, auto apply) {
    SCOPED_TRACE(what);
    test::expect_gradient(
        model, [&](const model::Model& changed) { return test::rollout_loss(engine, changed, exact, loss); }, x, slope,
        direction, apply);
  };
  check("positions", rest, gradient.positions, test::waves(rest.size(), 5e-3),
        [](model::Model& changed, auto moved) { changed.initial_positions.assign(moved.begin(), moved.end()); });
  check("velocities", model.initial_velocities, gradient.velocities, test::waves(rest.size(), 1),
        [](model::Model& changed, auto moved) { changed.initial_velocities.assign(moved.begin(), moved.end()); });
  const auto& controller = model.controllers[0];
  ASSERT_EQ(gradient.controllers.size(), 1u);
  for (std::size_t k = 0; k < controller.parameters.size(); ++k) {
    const auto& values = controller.parameters[k];
    check(controller.function->parameters[k].name.c_str(), values, gradient.controllers[0][k],
          test::waves(values.size(), values[0]), [k](model::Model& changed, auto moved) {
            changed.controllers[0].parameters[k].assign(moved.begin(), moved.end());
          });
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, ControllerGradients,
                         testing::Values(model::Integrator::implicit_euler, model::Integrator::bdf2,
                                         model::Integrator::quasi_static),
                         [](const auto& chosen) { return std::string(model::integrator_row(chosen.param).name); });

}  // namespace
}  // namespace proxima
