// The adjoint of steps with contact and ties on a GPU, by stand-ins for it (tests/cuda_shim), at the states of a
// rollout on the CPU: every part of the gradient is that of the CPU.
#include <gtest/gtest.h>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/error_estimate.hpp"
#include "runtime/adjoint/losses.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/solve/touching_scenes.hpp"

namespace proxima {
namespace {

class ContactGradientOnAGpu : public testing::TestWithParam<const char*> {
 protected:
  ContactGradientOnAGpu() {
    on_gpu.use(shim.engine);
    try {
      on_cpu.require_rest_gradient();
    } catch (const Error&) {
      settings.rest_shape = false;
    }
  }

  adjoint::Gradient gradient(const solve::Objective& objective) const {
    const auto& x = model.initial_positions;
    const adjoint::RecordedMotion loss({{2, x}, {model.steps, x}}, adjoint::uniform_weights(x.size() / 3));
    adjoint::Tape tape(states);
    return adjoint::backward(objective, model, steps, settings, loss, tape);
  }

  device::testing::CudaShimEngine shim;
  jit::Engine engine;
  model::Model model = bodies::touching_scenes().at(GetParam())();
  solve::Objective on_cpu{model, engine, factor::Storage::fp64}, on_gpu{model, engine, factor::Storage::fp64};
  solve::StepSettings steps{.tolerance = 1e-11};
  adjoint::AdjointSettings settings{.tolerance = 1e-13, .rest_shape = true, .motions = true};
  std::vector<solve::State> states = solve::simulate(on_cpu, model, steps, solve::initial_state(model));
};

TEST_P(ContactGradientOnAGpu, IsThatOfTheCpu) {
  const adjoint::Gradient expected = gradient(on_cpu), found = gradient(on_gpu);
  const auto worst = adjoint::largest_difference(model, found, expected);
  EXPECT_LE(worst.relative, 1e-8) << worst.part;
  EXPECT_EQ(found.kinks, expected.kinks);
  EXPECT_GT(found.a_solves, 0);
  EXPECT_EQ(adjoint::largest_difference(model, gradient(on_gpu), found).relative, 0) << "bits from run to run";
}

using ContactErrorsOnAGpu = ContactGradientOnAGpu;
TEST_P(ContactErrorsOnAGpu, AreThoseOfTheCpu) {
  steps.tolerance = 1e-6;
  states = solve::simulate(on_cpu, model, steps, solve::initial_state(model));
  settings.estimate_errors = true;
  settings.rest_shape = settings.motions = false;
  const adjoint::Gradient expected = gradient(on_cpu), found = gradient(on_gpu);
  ASSERT_TRUE(expected.errors && found.errors);
  EXPECT_NEAR(found.errors->loss, expected.errors->loss, 1e-3 * std::abs(expected.errors->loss) + 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Scenes, ContactGradientOnAGpu,
                         testing::Values("rests", "slides", "without_friction", "bounces", "on_a_ball", "ellipse",
                                         "matchsticks", "penalties", "boxes", "tied"),
                         [](const auto& chosen) { return std::string(chosen.param); });

INSTANTIATE_TEST_SUITE_P(Scenes, ContactErrorsOnAGpu, testing::Values("slides", "penalties"),
                         [](const auto& chosen) { return std::string(chosen.param); });

}  // namespace
}  // namespace proxima
