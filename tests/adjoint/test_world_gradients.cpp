// Gradients of worlds side by side, rollout and adjoint, against each of them alone: on the CPU, and on a GPU by
// stand-ins for it (tests/cuda_shim).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/error_estimate.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/step/worlds.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/input_scenes.hpp"
#include "tests/solve/touching_scenes.hpp"

namespace proxima {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

struct Case {
  model::Model model;
  solve::StepSettings steps{};
  adjoint::AdjointSettings settings{};
};

struct Found {
  std::vector<adjoint::Gradient> gradients;
  solve::SharedWork work;
  std::string error;
};

adjoint::RecordedMotion loss_of(const Case& one) {
  const auto& x = one.model.initial_positions;
  return {{{1, x}, {one.model.steps, x}}, adjoint::uniform_weights(x.size() / 3)};
}

adjoint::Gradient whole_gradient(const solve::Objective& objective, const Case& one) {
  return adjoint::rollout_gradient(objective, one.model, one.steps, one.settings, loss_of(one),
                                   solve::initial_state(one.model));
}

class WorldGradients : public testing::Test {
 protected:
  using Run = std::function<adjoint::Gradient(const solve::Objective&, const Case&)>;

  std::unique_ptr<solve::Objective> objective(const Case& one, int slow_modes, const solve::Objective* first) {
    auto made = std::make_unique<solve::Objective>(one.model, engine_, factor::Storage::fp32, slow_modes, first);
    if (gpu_ != nullptr) made->use(*gpu_);
    return made;
  }

  Found together(const std::vector<Case>& cases, int slow_modes = 0, const Run& run = whole_gradient) {
    Found found;
    found.gradients.resize(cases.size());
    std::vector<std::unique_ptr<solve::Objective>> objectives;
    std::vector<solve::World> worlds;
    objectives.reserve(cases.size());
    worlds.reserve(cases.size());
    for (const Case& one : cases)
      objectives.push_back(objective(one, slow_modes, objectives.empty() ? nullptr : objectives.front().get()));
    for (std::size_t k = 0; k < cases.size(); ++k)
      worlds.push_back({"world" + std::to_string(k), objectives[k].get(),
                        [&, k] { found.gradients[k] = run(*objectives[k], cases[k]); }});
    try {
      found.work = solve::run_worlds(worlds);
    } catch (const Error& error) {
      found.error = error.what();
    }
    return found;
  }

  std::vector<adjoint::Gradient> alone(const std::vector<Case>& cases, int slow_modes = 0,
                                       const Run& run = whole_gradient) {
    std::vector<adjoint::Gradient> result;
    result.reserve(cases.size());
    for (const Case& one : cases) result.push_back(run(*objective(one, slow_modes, nullptr), one));
    return result;
  }

  static void expect_same_bits(const std::vector<Case>& cases, const Found& found,
                               const std::vector<adjoint::Gradient>& right) {
    EXPECT_EQ(found.error, "");
    for (std::size_t k = 0; k < cases.size(); ++k) {
      SCOPED_TRACE(testing::Message() << "world " << k);
      EXPECT_EQ(found.gradients[k].loss, right[k].loss);
      EXPECT_EQ(found.gradients[k].a_solves, right[k].a_solves);
      EXPECT_EQ(found.gradients[k].a_solves_forward, right[k].a_solves_forward);
      EXPECT_EQ(found.gradients[k].advances, right[k].advances);
      EXPECT_GT(right[k].a_solves, 0);
      EXPECT_GT(device::norm(right[k].positions), 0);
      const auto worst = adjoint::largest_difference(cases[k].model, found.gradients[k], right[k]);
      EXPECT_EQ(worst.relative, 0) << worst.part;
    }
  }

  // Worlds of a scene and its A: of other velocities, gravity, lengths and states kept, in one scene also of other
  // solvers, tolerances and derivatives that are wanted.
  static std::vector<Case> worlds_of(const std::string& scene) {
    const bool touches = bodies::touching_scenes().contains(scene);
    std::vector<Case> cases(3, Case{(touches ? bodies::touching_scenes() : bodies::input_scenes()).at(scene)()});
    if (touches)
      for (Case& one : cases) one.model.steps = 3;
    cases[1].model.steps = touches ? 2 : 3;
    if (!touches) bodies::stir(cases[1].model, 0.3);
    cases[2].model.gravity = touches ? model::Vector3{1, 2, -9} : model::Vector3{1, -2, 3};
    cases[2].settings.checkpoints = {adjoint::Keep::every, 2};
    for (Case& one : cases) {
      one.settings.motions = true;
      if (scene.starts_with("sub_steps")) one.steps.solver.max_newton = 6;
    }
    if (scene != "implicit_euler") return cases;
    cases[1].settings.rest_shape = true;
    cases[2].steps.solver.method = solve::Method::lbfgs;
    cases.push_back(cases[0]);
    cases[3].settings.tolerance = 1e-5;
    cases[3].settings.estimate_errors = true;
    return cases;
  }

  // That move alike.
  static std::vector<Case> eight_worlds() {
    std::vector<Case> cases(8, Case{bodies::input_scenes().at("implicit_euler")()});
    for (std::size_t k = 0; k < cases.size(); ++k) {
      cases[k].model.steps = 2;
      bodies::stir(cases[k].model, 0.02 * static_cast<double>(k));
    }
    return cases;
  }
  // Of states that are there, so that nothing is solved but adjoints.
  static Run sweep_back(const std::vector<Case>& cases, const std::vector<std::vector<solve::State>>& states) {
    return [&](const solve::Objective& objective, const Case& one) {
      adjoint::Tape tape(states[static_cast<std::size_t>(&one - cases.data())]);
      return adjoint::backward(objective, one.model, one.steps, one.settings, loss_of(one), tape);
    };
  }
  std::vector<std::vector<solve::State>> states_of(const std::vector<Case>& cases) {
    std::vector<std::vector<solve::State>> states;
    states.reserve(cases.size());
    for (const Case& one : cases)
      states.push_back(
          solve::simulate(solve::Objective(one.model, engine_), one.model, one.steps, solve::initial_state(one.model)));
    return states;
  }

  jit::Engine engine_;
  device::CudaEngine* gpu_ = nullptr;  // where objectives run
};

class WorldGradientsOf : public WorldGradients, public testing::WithParamInterface<const char*> {};
class WorldGradientsOnAGpuOf : public WorldGradientsOf {};
INSTANTIATE_TEST_SUITE_P(Scenes, WorldGradientsOf,
                         testing::Values("implicit_euler", "bdf2", "quasi_static", "histories", "sheet", "loads",
                                         "controllers", "sub_steps", "slides", "penalties", "tied"),
                         [](const auto& chosen) { return std::string(chosen.param); });
INSTANTIATE_TEST_SUITE_P(Scenes, WorldGradientsOnAGpuOf,
                         testing::Values("implicit_euler", "bdf2", "histories", "controllers", "sub_steps", "slides"),
                         [](const auto& chosen) { return std::string(chosen.param); });

TEST_P(WorldGradientsOf, HaveTheBitsThatTheyHaveAlone) {
  const auto cases = worlds_of(GetParam());
  const auto right = alone(cases);
  for (const int threads : {1, 3}) {
    device::set_threads(threads);
    expect_same_bits(cases, together(cases), right);
  }
  device::set_threads(0);
}

TEST_P(WorldGradientsOnAGpuOf, HaveTheBitsThatTheyHaveAloneThere) {
  device::testing::CudaShimEngine shim;
  gpu_ = &shim.engine;
  const auto cases = worlds_of(GetParam());
  expect_same_bits(cases, together(cases), alone(cases));
}

TEST_F(WorldGradients, MayDeflate) {
  constexpr int slow_modes = 12;
  const auto cases = worlds_of("bdf2");
  expect_same_bits(cases, together(cases, slow_modes), alone(cases, slow_modes));
  device::testing::CudaShimEngine shim;
  gpu_ = &shim.engine;
  expect_same_bits(cases, together(cases, slow_modes), alone(cases, slow_modes));
}

TEST_F(WorldGradients, ReadTheFactorTogetherBackwardToo) {
  const auto cases = eight_worlds();
  const auto states = states_of(cases);
  const Run back = sweep_back(cases, states);
  const Found found = together(cases, 0, back);
  expect_same_bits(cases, found, alone(cases, 0, back));
  std::int64_t solves = 0;
  for (const auto& gradient : found.gradients) solves += gradient.a_solves;
  EXPECT_EQ(found.work.applications, solves);
  EXPECT_GT(found.work.applications, 7 * found.work.passes);
}

TEST_F(WorldGradients, OnAGpuAreLaunchedTogetherBackwardToo) {
  device::testing::CudaShimEngine shim;
  const auto cases = eight_worlds();
  const auto states = states_of(cases);
  const Run back = sweep_back(cases, states);
  gpu_ = &shim.engine;
  int launches = shim.launches();
  const Found found = together(cases, 0, back);
  const int of_all = shim.launches() - launches;
  launches = shim.launches();
  const auto right = alone(cases, 0, back);
  const int of_single = shim.launches() - launches;
  expect_same_bits(cases, found, right);
  EXPECT_GT(found.work.applications, 7 * found.work.passes);
  EXPECT_LT(4 * of_all, of_single);
}

// The A of the first is the preconditioner of all.
TEST_F(WorldGradients, OfOtherParametersAreTheSameToTheirTolerance) {
  std::vector<Case> cases(2, Case{bodies::input_scenes().at("implicit_euler")()});
  cases[1].model.regions[1].parameters[0] = {1.5 * cases[0].model.regions[1].parameters[0][0]};
  for (Case& one : cases) {
    one.steps.tolerance = 1e-12;
    one.settings.tolerance = 1e-12;
  }
  const Found found = together(cases);
  EXPECT_EQ(found.error, "");
  const auto right = alone(cases);
  EXPECT_EQ(adjoint::largest_difference(cases[0].model, found.gradients[0], right[0]).relative, 0);
  EXPECT_NE(found.gradients[1].a_solves, right[1].a_solves);
  const auto worst = adjoint::largest_difference(cases[1].model, found.gradients[1], right[1]);
  EXPECT_LT(worst.relative, 1e-7) << worst.part;
}

TEST_F(WorldGradients, ThatFailBackwardAreNamedAndKeepNobodyFromEnding) {
  device::testing::CudaShimEngine shim;
  auto cases = worlds_of("bdf2");
  cases[1].settings.max_cg = 3;
  for (device::CudaEngine* gpu : {static_cast<device::CudaEngine*>(nullptr), &shim.engine}) {
    gpu_ = gpu;
    Found found = together(cases);
    EXPECT_THAT(found.error, AllOf(StartsWith("world1: adjoint of step 3: "), HasSubstr("after 3 iterations")));
    found.error.clear();
    std::vector<Case> others = cases;
    others.erase(others.begin() + 1);
    found.gradients.erase(found.gradients.begin() + 1);
    expect_same_bits(others, found, alone(others));
  }
}

}  // namespace
}  // namespace proxima
