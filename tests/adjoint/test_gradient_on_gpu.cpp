// The adjoint on a GPU, by stand-ins for it (tests/cuda_shim), at the states of a rollout on the CPU: every part of the
// gradient is that of the CPU, and from one step to the next vectors stay there.
#include <gtest/gtest.h>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/error_estimate.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/adjoint/marker_loss.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/step/cuda_state.hpp"
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
  // In frames, and between them.
  const mesh::Attachment marker{{0, static_cast<std::int32_t>(x.size() / 3) - 1}, {0.25, 0.75}};
  const double h = model.time_step;
  const adjoint::SumLoss loss(
      {{1,
        std::make_shared<adjoint::RecordedMotion>(std::map<int, std::vector<double>>{{1, x}, {3, x}, {model.steps, x}},
                                                  adjoint::uniform_weights(x.size() / 3))},
       {1, std::make_shared<adjoint::MarkerLoss>(
               std::vector{marker}, std::vector<adjoint::SeenMarker>{{0.6 * h, 0, {}}, {2.3 * h, 0, {}}}, h)}});
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

// Linear solves go on from what is left, found in double precision.
TEST(SweepOnAGpu, MayMultiplyInSinglePrecision) {
  for (const char* scene : {"implicit_euler", "quasi_static", "histories", "triangles"}) {
    SCOPED_TRACE(scene);
    device::testing::CudaShimEngine shim;
    jit::Engine engine;
    const model::Model model = bodies::input_scenes().at(scene)();
    const solve::Objective on_cpu(model, engine, factor::Storage::fp64);
    solve::Objective on_gpu(model, engine, factor::Storage::fp64);
    on_gpu.use(shim.engine);
    on_gpu.gpu()->set_product_precision(emit::Precision::fp32);
    const auto& x = model.initial_positions;
    const adjoint::RecordedMotion loss({{model.steps, x}}, adjoint::uniform_weights(x.size() / 3));
    const auto states = solve::simulate(on_cpu, model, {.tolerance = 1e-9}, solve::initial_state(model));
    const auto gradient = [&](const solve::Objective& objective) {
      adjoint::Tape tape(states);
      return adjoint::backward(objective, model, {}, {.tolerance = 1e-12}, loss, tape);
    };
    const adjoint::Gradient expected = gradient(on_cpu), found = gradient(on_gpu);
    const auto worst = adjoint::largest_difference(model, found, expected);
    EXPECT_LE(worst.relative, 1e-9) << worst.part;
    EXPECT_LE(found.worst_residual, 1e-12);
    EXPECT_LE(found.a_solves, 1.8 * expected.a_solves);
  }
}

// Derivatives of the loss come with its last frame alone. In the steps before, the next state goes over in one copy,
// ahead of its step, and numbers come back: the residuals of solves, sums over regions and forces, and what held nodes
// take where their motions are wanted. Values that are one an element, too, wait for the end.
TEST(SweepOnAGpu, TakesStatesAndGivesNumbers) {
  using Case = std::pair<const char*, int>;  // a scene, and how many slow modes are deflated
  for (const auto& [scene, slow_modes] : {Case{"implicit_euler", 0},
                                          {"bdf2", 0},
                                          {"quasi_static", 0},
                                          {"histories", 0},
                                          {"triangles", 0},
                                          {"implicit_euler", 12}})
    for (const bool motions : {false, true}) {
      SCOPED_TRACE(testing::Message() << scene << (motions ? " with motions, " : ", ") << slow_modes << " slow modes");
      device::testing::CudaShimEngine shim;
      jit::Engine engine;
      const model::Model model = bodies::input_scenes().at(scene)();
      solve::Objective objective(model, engine, factor::Storage::fp64, slow_modes);
      const auto states = solve::simulate(objective, model, {}, solve::initial_state(model));
      objective.use(shim.engine);
      std::vector<device::testing::CudaShim::Copied> copied(states.size());  // from one frame to the next
      const adjoint::UserLoss loss(model.steps, [&](int frame, auto x, auto, auto by_x, auto) {
        copied[static_cast<std::size_t>(frame)] = shim.copied();
        if (frame < model.steps) return 0.0;
        for (std::size_t i = 0; i < by_x.size(); ++i) by_x[i] += x[i];
        return device::dot(x, x) / 2;
      });
      adjoint::Tape tape(states);
      const bool has_rest = std::string(scene) != "triangles";  // whose directions turn with it
      const adjoint::AdjointSettings settings{.rest_shape = motions && has_rest, .motions = motions};
      (void)adjoint::backward(objective, model, {}, settings, loss, tape);
      std::size_t held = 0;
      for (const auto& set : model.dirichlet) held += set.nodes.size();
      const std::size_t vector = sizeof(double) * model.initial_positions.size();
      ASSERT_LT(3 * held * sizeof(double), vector);
      for (std::size_t frame = 1; frame + 2 < states.size(); ++frame) {
        const auto& state = states[frame - 1];
        const solve::CudaState there = solve::uploaded(*objective.gpu(), state);
        (void)shim.copied();
        std::size_t bytes = vector * (state.previous_positions.empty() ? 2 : 4);
        for (const auto& of_region : there.history)
          for (const auto& history : of_region) bytes += history.array().bytes();
        EXPECT_EQ(copied[frame].up.bytes, 0u);
        EXPECT_EQ(copied[frame].ahead.bytes, bytes);
        EXPECT_EQ(copied[frame].ahead.largest, bytes);
        EXPECT_GT(copied[frame].down.bytes, 0u);
        EXPECT_LE(copied[frame].down.largest, sizeof(double) * std::max<std::size_t>(5, motions ? 3 * held : 0));
        EXPECT_EQ(copied[frame].later.bytes, 0u);
      }
    }
}

// What only some ask for: filtered systems, of the kind that the trust-region ratio chooses, dL by the force in each
// step, and what tolerances do.
TEST(SweepOnAGpu, FiltersForcesAndErrorsAreThoseOfTheCpu) {
  for (const char* scene : {"implicit_euler", "bdf2", "histories", "controllers"}) {
    SCOPED_TRACE(scene);
    device::testing::CudaShimEngine shim;
    jit::Engine engine;
    const model::Model model = bodies::input_scenes().at(scene)();
    const solve::Objective on_cpu(model, engine, factor::Storage::fp64);
    solve::Objective on_gpu(model, engine, factor::Storage::fp64);
    on_gpu.use(shim.engine);
    const auto& x = model.initial_positions;
    const adjoint::RecordedMotion loss({{model.steps, x}}, adjoint::uniform_weights(x.size() / 3));
    const solve::StepSettings steps{.tolerance = 1e-6};
    const auto states = solve::simulate(on_cpu, model, steps, solve::initial_state(model));
    std::vector<std::vector<double>> forces;
    const auto gradient = [&](const solve::Objective& objective, const adjoint::AdjointSettings& settings) {
      forces.clear();
      adjoint::Tape tape(states);
      return adjoint::backward(objective, model, steps, settings, loss, tape, [&](const adjoint::BackwardStep& step) {
        forces.emplace_back(step.force.begin(), step.force.end());
      });
    };
    const adjoint::AdjointSettings blended{.tolerance = 1e-13, .hessian = adjoint::HessianChoice::blend};
    const auto expected = gradient(on_cpu, blended);
    const auto expected_forces = forces;
    const auto found = gradient(on_gpu, blended);
    const auto worst = adjoint::largest_difference(model, found, expected);
    EXPECT_LE(worst.relative, 1e-9) << worst.part;
    EXPECT_EQ(found.filtered, expected.filtered);
    ASSERT_EQ(forces.size(), expected_forces.size());
    for (std::size_t k = 0; k < forces.size(); ++k) {
      device::add_scaled(forces[k], -1, expected_forces[k]);
      EXPECT_LE(device::norm(forces[k]), 1e-9 * device::norm(expected_forces[k])) << k;
    }

    // What a solve to a thousandth leaves depends on roundings, so that each has to tell its own error.
    const adjoint::AdjointSettings estimated{.tolerance = 1e-3, .estimate_errors = true};
    const auto exact = gradient(on_cpu, {.tolerance = 1e-13});
    const auto here = gradient(on_cpu, estimated), there = gradient(on_gpu, estimated);
    ASSERT_TRUE(here.errors && there.errors);
    const double error = adjoint::largest_difference(model, there, exact).relative;
    EXPECT_GT(error, 1e-6);
    EXPECT_GT(there.errors->adjoint.relative, error / 2);
    EXPECT_LT(there.errors->adjoint.relative, error * 2);
    EXPECT_NEAR(there.errors->loss, here.errors->loss, 0.05 * here.errors->loss);
    EXPECT_NEAR(there.errors->forward.relative, here.errors->forward.relative, 0.05 * here.errors->forward.relative);
  }
}

}  // namespace
}  // namespace proxima
