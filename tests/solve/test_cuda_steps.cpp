// Whole steps of bodies that stay on a GPU, by stand-ins for it (tests/cuda_shim): they are those of the CPU, copy
// nothing but numbers, and their states come to the host while the next step is taken.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "compiler/support/error.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/contact_run.hpp"
#include "tests/solve/input_scenes.hpp"
#include "tests/solve/near.hpp"

namespace proxima {
namespace {

using test::expect_near;

class CudaSteps : public testing::Test {
 protected:
  static solve::StepSettings settings_of(const std::string& scene) {
    solve::StepSettings settings{.tolerance = 1e-13};
    if (scene.starts_with("sub_steps")) settings.solver.max_newton = 6;
    return settings;
  }

  device::testing::CudaShimEngine shim;
  jit::Engine engine;
};

// Of a scene, with so many slow modes deflated.
class CudaScenes : public CudaSteps, public testing::WithParamInterface<std::tuple<const char*, int>> {};

TEST_P(CudaScenes, AreThoseOfTheCpu) {
  const auto [scene, slow_modes] = GetParam();
  const model::Model model = bodies::input_scenes().at(scene)();
  const auto settings = settings_of(scene);
  const solve::Objective on_cpu(model, engine, factor::Storage::fp64, slow_modes);
  solve::Objective on_gpu(model, engine, factor::Storage::fp64, slow_modes);
  on_gpu.use(shim.engine);
  const auto [expected, reports] = test::run(on_cpu, model, settings);
  const auto [found, reports_there] = test::run(on_gpu, model, settings);
  ASSERT_EQ(found.size(), expected.size());
  ASSERT_EQ(reports_there.size(), reports.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    const std::string name = "step " + std::to_string(k);
    expect_near(found[k].positions, expected[k].positions, 1e-12, name + ": positions");
    expect_near(found[k].velocities, expected[k].velocities, 1e-9, name + ": velocities");
    expect_near(found[k].history, expected[k].history, 1e-11, name + ": histories");
    expect_near(found[k].previous_positions, expected[k].previous_positions, 1e-12, name + ": positions before");
    EXPECT_EQ(found[k].substeps, expected[k].substeps) << name;
  }
  for (std::size_t k = 0; k < reports.size(); ++k) {
    const auto &there = reports_there[k], &here = reports[k];
    EXPECT_NEAR(there.elastic_energy, here.elastic_energy, 1e-9 * std::abs(here.elastic_energy));
    EXPECT_NEAR(there.kinetic_energy, here.kinetic_energy, 1e-9 * here.kinetic_energy);
    const auto size = [](const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); };
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(there.momentum[i], here.momentum[i], 1e-9 * size(here.momentum) + 1e-15);
      EXPECT_NEAR(there.angular_momentum[i], here.angular_momentum[i], 1e-9 * size(here.angular_momentum) + 1e-15);
    }
    EXPECT_LE(there.residual, settings.tolerance * 10);
  }
  const auto again = solve::simulate(on_gpu, model, settings, solve::initial_state(model));
  EXPECT_EQ(again.back().positions, found.back().positions);
  // What one step alone does, from the host and back.
  solve::State state = found[1];
  solve::advance(on_gpu, model, 1, settings, state);
  EXPECT_EQ(state.positions, found[2].positions);
  EXPECT_EQ(state.history, found[2].history);
}

INSTANTIATE_TEST_SUITE_P(Scenes, CudaScenes,
                         testing::Combine(testing::Values("implicit_euler", "bdf2", "quasi_static", "hexahedra",
                                                          "histories", "several_energies", "triangles", "edges",
                                                          "sheet", "loads", "controllers", "proximal", "sub_steps",
                                                          "sub_steps_of_bdf2"),
                                          testing::Values(0)),
                         [](const auto& chosen) { return std::string(std::get<0>(chosen.param)); });
INSTANTIATE_TEST_SUITE_P(WithDeflation, CudaScenes,
                         testing::Combine(testing::Values("implicit_euler", "quasi_static", "histories", "triangles",
                                                          "sheet", "controllers", "sub_steps_of_bdf2"),
                                          testing::Values(12)),
                         [](const auto& chosen) { return std::string(std::get<0>(chosen.param)); });

// Of surface loads and controllers the nodes that they look at.
TEST_F(CudaSteps, CopyWhatLoadsAndControllersLookAt) {
  for (const char* scene : {"loads", "controllers"}) {
    SCOPED_TRACE(scene);
    const model::Model model = bodies::input_scenes().at(scene)();
    std::set<std::int32_t> nodes;
    for (const auto& load : model.surface_loads) nodes.insert(load.triangles.nodes.begin(), load.triangles.nodes.end());
    for (const auto& controller : model.controllers)
      for (const auto& input : controller.inputs)
        for (const auto& point : input.points) nodes.insert(point.nodes.begin(), point.nodes.end());
    ASSERT_LT(nodes.size(), model.mesh.nodes.size());
    ASSERT_GT(3 * nodes.size(), 7u);
    solve::Objective objective(model, engine);
    objective.use(shim.engine);
    const auto stepper = solve::make_stepper(objective, model, {}, solve::initial_state(model));
    stepper->advance(0);
    (void)shim.copied();
    stepper->advance(1);
    const auto copied = shim.copied();
    EXPECT_EQ(copied.down.largest, 3 * sizeof(double) * nodes.size());
    EXPECT_LE(copied.up.largest, 3 * sizeof(double) * nodes.size());
  }
}

// Held ends that move, forces that come and go, key-framed parameters, histories: nothing as long as a vector is
// copied.
TEST_F(CudaSteps, CopyNumbersAndNoVectors) {
  for (const auto& [scene, slow_modes] : {std::pair{"implicit_euler", 0},
                                          {"bdf2", 0},
                                          {"histories", 0},
                                          {"triangles", 0},
                                          {"implicit_euler", 12},
                                          {"triangles", 12}}) {
    SCOPED_TRACE(testing::Message() << scene << ", " << slow_modes << " slow modes");
    const model::Model model = bodies::input_scenes().at(scene)();
    solve::Objective objective(model, engine, factor::Storage::fp32, slow_modes);
    objective.use(shim.engine);
    for (const solve::Method method : {solve::Method::newton, solve::Method::automatic, solve::Method::anderson}) {
      const solve::StepSettings settings{.tolerance = 1e-6, .solver = {.method = method}};
      const auto stepper = solve::make_stepper(objective, model, settings, solve::initial_state(model));
      stepper->advance(0);
      stepper->advance(1);  // the first with two states
      (void)shim.copied();
      stepper->advance(2);
      const auto step = shim.copied();
      EXPECT_EQ(step.up.bytes, 0u);
      EXPECT_GT(step.down.bytes, 0u);
      EXPECT_LE(step.down.largest, 10 * sizeof(double));  // of a step that is tried, or what mixing looks at
      EXPECT_EQ(step.later.bytes, 0u);
      const auto state = stepper->state();
      const auto copied = shim.copied();
      EXPECT_EQ(copied.up.bytes + copied.down.bytes, 0u);
      EXPECT_GE(copied.later.bytes, 2 * sizeof(double) * model.initial_positions.size());
      EXPECT_EQ(copied.later.largest, copied.later.bytes);  // one copy
      stepper->advance(3);                                  // while it is on its way
      solve::State expected = solve::initial_state(model);
      for (int k = 0; k < 3; ++k) solve::advance(objective, model, k, settings, expected);
      const solve::State found = state();
      EXPECT_EQ(found.positions, expected.positions);
      EXPECT_EQ(found.velocities, expected.velocities);
      EXPECT_EQ(found.history, expected.history);
      EXPECT_EQ(found.previous_velocities, expected.previous_velocities);
    }
  }
}

TEST_F(CudaSteps, StatesComeWhileTheNextStepIsTakenAndBeforeAFailure) {
  class Failing : public solve::Stepper {
   public:
    Failing(std::unique_ptr<solve::Stepper> stepper, std::vector<std::string>& log)
        : stepper_(std::move(stepper)), log_(log) {}
    solve::StepReport advance(int step) override {
      log_.push_back("step " + std::to_string(step));
      if (step == 2) fail("not this one");
      return stepper_->advance(step);
    }
    std::function<solve::State()> state() override { return stepper_->state(); }
    bool streams() const override { return stepper_->streams(); }

   private:
    std::unique_ptr<solve::Stepper> stepper_;
    std::vector<std::string>& log_;
  };
  const model::Model model = bodies::input_scenes().at("implicit_euler")();
  solve::Objective objective(model, engine);
  for (const bool on_gpu : {false, true}) {
    if (on_gpu) objective.use(shim.engine);
    std::vector<std::string> log;
    Failing stepper(solve::make_stepper(objective, model, {}, solve::initial_state(model)), log);
    const auto run = [&] {
      solve::run_steps(stepper, 0, 4, [&](int done, const solve::State&, const solve::StepReport&) {
        log.push_back("state " + std::to_string(done));
      });
    };
    EXPECT_THROW(run(), Error);
    const std::vector<std::string> at_once = {"step 0", "state 1", "step 1", "state 2", "step 2"},
                                   late = {"step 0", "step 1", "state 1", "step 2", "state 2"};
    EXPECT_EQ(log, on_gpu ? late : at_once);
  }
}

TEST_F(CudaSteps, AStepThatCannotBeSolvedIsRefusedInTheSameWords) {
  model::Model model = bodies::input_scenes().at("sub_steps")();
  solve::StepSettings settings{.tolerance = 1e-6};
  settings.solver.max_newton = 1;
  settings.max_substeps = 2;
  const auto words = [&](const solve::Objective& objective) -> std::string {
    try {
      (void)solve::simulate(objective, model, settings, solve::initial_state(model));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  solve::Objective objective(model, engine, factor::Storage::fp64);
  const std::string expected = words(objective);
  objective.use(shim.engine);
  EXPECT_THAT(expected, testing::HasSubstr("the most compressed element is tet"));
  EXPECT_EQ(words(objective), expected);
}

}  // namespace
}  // namespace proxima
