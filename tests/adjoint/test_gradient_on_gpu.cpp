// The adjoint on a GPU, by stand-ins for it (tests/cuda_shim), at the states of a rollout on the CPU: every part of the
// gradient is that of the CPU.
#include <gtest/gtest.h>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/error_estimate.hpp"
#include "runtime/adjoint/losses.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/solve/input_scenes.hpp"

namespace proxima {
namespace {

// Of a scene, with so many slow modes deflated.
class GradientOnAGpu : public testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(GradientOnAGpu, IsThatOfTheCpu) {
  device::testing::CudaShimEngine shim;
  jit::Engine engine;
  const auto [scene, slow_modes] = GetParam();
  const model::Model model = bodies::input_scenes().at(scene)();
  const solve::Objective on_cpu(model, engine, factor::Storage::fp64, slow_modes);
  solve::Objective on_gpu(model, engine, factor::Storage::fp64, slow_modes);
  on_gpu.use(shim.engine);
  solve::StepSettings steps{.tolerance = 1e-9};
  if (std::string(scene).starts_with("sub_steps")) steps.solver.max_newton = 6;
  adjoint::AdjointSettings settings{.tolerance = 1e-14, .rest_shape = true, .motions = true};
  try {
    on_cpu.require_rest_gradient();
  } catch (const Error&) {
    settings.rest_shape = false;
  }
  const auto& x = model.initial_positions;
  const adjoint::RecordedMotion loss({{1, x}, {3, x}, {model.steps, x}}, adjoint::uniform_weights(x.size() / 3));
  const auto states = solve::simulate(on_cpu, model, steps, solve::initial_state(model));
  const auto gradient = [&](const solve::Objective& objective) {
    adjoint::Tape tape(states);
    return adjoint::backward(objective, model, steps, settings, loss, tape);
  };
  const adjoint::Gradient expected = gradient(on_cpu), found = gradient(on_gpu);
  const auto worst = adjoint::largest_difference(model, found, expected);
  EXPECT_LE(worst.relative, 1e-10) << worst.part;
  EXPECT_EQ(adjoint::largest_difference(model, gradient(on_gpu), found).relative, 0) << "bits from run to run";
}

INSTANTIATE_TEST_SUITE_P(Scenes, GradientOnAGpu,
                         testing::Combine(testing::Values("implicit_euler", "bdf2", "quasi_static", "histories",
                                                          "several_energies", "sheet", "triangles", "loads",
                                                          "controllers", "sub_steps", "proximal"),
                                          testing::Values(0)),
                         [](const auto& chosen) { return std::string(std::get<0>(chosen.param)); });
INSTANTIATE_TEST_SUITE_P(WithDeflation, GradientOnAGpu,
                         testing::Combine(testing::Values("implicit_euler", "quasi_static", "histories", "sheet"),
                                          testing::Values(12)),
                         [](const auto& chosen) { return std::string(std::get<0>(chosen.param)); });

}  // namespace
}  // namespace proxima
