// Gradients of rollouts with a controller: through what it reads of the state, and by its parameters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/dsl/include/proxima/dsl.hpp"
#include "compiler/dsl/trace.hpp"
#include "compiler/support/error.hpp"
#include "runtime/adjoint/function_loss.hpp"
#include "runtime/adjoint/losses.hpp"
#include "tests/adjoint/taylor.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/driven.hpp"

namespace {
using namespace proxima::dsl;

PROXIMA_FUNCTION(arrival) {
  auto x = input<6>("x");
  auto v = input<3>("v");
  auto t = input("t");
  auto far = parameter("far", metre, 0.1);
  output("loss", exp(x[0] / far) + 30 * squared_norm(vector(x[3], x[4] - 0.1, x[5])) + 0.1 * t * squared_norm(v));
}
}  // namespace

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

// A user's function of positions and velocities as the loss.
TEST(FunctionLoss, PassesTheTaylorTest) {
  jit::Engine engine;
  const model::Model model = bodies::make_mixed_scene(steps);
  const auto function = std::make_shared<ir::Function>(dsl::find_function("arrival"));
  using Of = model::Observation::Of;
  const auto last = static_cast<std::int32_t>(model.mesh.nodes.size()) - 1;
  const std::vector<model::Observation> inputs = {
      {Of::position, {{{last, last - 1}, {0.5, 0.5}}, {{last}, {1}, {-0.1, 0, 0}}}},
      {Of::velocity, {{{last, 30}, {1, -1}}}},
      {Of::time, {}}};
  const adjoint::FunctionLoss loss({2, steps}, solve::UserFunction(function, engine), inputs,
                                   model::default_parameters(*function), model.time_step);
  const solve::Objective objective(model, engine);
  const auto gradient =
      adjoint::rollout_gradient(objective, model, exact, exact_adjoint, loss, solve::initial_state(model));
  const auto loss_of = [&](const model::Model& changed) { return test::rollout_loss(engine, changed, exact, loss); };
  EXPECT_DOUBLE_EQ(gradient.loss, loss_of(model));
  const std::size_t size = model.initial_positions.size();
  test::expect_gradient(model, loss_of, model.initial_positions, gradient.positions, test::waves(size, 5e-3),
                        [](auto& changed, auto x) { changed.initial_positions.assign(x.begin(), x.end()); });
  test::expect_gradient(model, loss_of, model.initial_velocities, gradient.velocities, test::waves(size, 1),
                        [](auto& changed, auto v) { changed.initial_velocities.assign(v.begin(), v.end()); });
}

TEST(FunctionLoss, HasOneNumber) {
  jit::Engine engine;
  const auto controller = bodies::make_driven_scene(1).controllers[0];
  EXPECT_THAT(
      [&] {
        adjoint::FunctionLoss({1}, solve::UserFunction(controller.function, engine), controller.inputs,
                              controller.parameters, 0.01);
      },
      testing::ThrowsMessage<Error>(testing::HasSubstr("the function 'stiffening' has 2 numbers as output")));
}

INSTANTIATE_TEST_SUITE_P(Integrators, ControllerGradients,
                         testing::Values(model::Integrator::implicit_euler, model::Integrator::bdf2,
                                         model::Integrator::quasi_static),
                         [](const auto& chosen) { return std::string(model::integrator_row(chosen.param).name); });

}  // namespace
}  // namespace proxima
