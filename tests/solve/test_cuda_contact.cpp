// Steps with contact and ties of bodies that stay on a GPU, by stand-ins for it (tests/cuda_shim): they are those of
// the CPU, and what is copied are the nodes that may touch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/solve/objective/contacts.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/solve/contact_run.hpp"
#include "tests/solve/contact_scenes.hpp"
#include "tests/solve/near.hpp"
#include "tests/solve/touching_scenes.hpp"

namespace proxima {
namespace {

struct Case {
  const char* scene;
  solve::Method method;
};

std::string name_of(const testing::TestParamInfo<Case>& chosen) {
  return std::string(chosen.param.scene) + "_" + std::string(solve::method_entry(chosen.param.method).name);
}

using test::expect_near;

class CudaContact : public testing::TestWithParam<Case> {
 protected:
  device::testing::CudaShimEngine shim;
  jit::Engine engine;
};

TEST_P(CudaContact, StepsAreThoseOfTheCpu) {
  const model::Model model = bodies::touching_scenes().at(GetParam().scene)();
  solve::StepSettings settings{.tolerance = 1e-12};
  settings.solver.method = GetParam().method;
  const solve::Objective on_cpu(model, engine, factor::Storage::fp64);
  solve::Objective on_gpu(model, engine, factor::Storage::fp64);
  on_gpu.use(shim.engine);
  const auto [expected, reports] = test::run(on_cpu, model, settings);
  const auto [found, reports_there] = test::run(on_gpu, model, settings);
  ASSERT_EQ(found.size(), expected.size());
  int touching = 0, a_solves = 0, a_solves_there = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const std::string name = "step " + std::to_string(k);
    expect_near(found[k].positions, expected[k].positions, 1e-11, name + ": positions");
    expect_near(found[k].velocities, expected[k].velocities, 1e-8, name + ": velocities");
    if (k == 0) continue;
    const auto &there = reports_there[k - 1], &here = reports[k - 1];
    EXPECT_EQ(there.contact.stick, here.contact.stick) << name;
    EXPECT_EQ(there.contact.slip, here.contact.slip) << name;
    EXPECT_EQ(there.substeps, here.substeps) << name;
    touching += here.contact.stick + here.contact.slip;
    a_solves += here.a_solves;
    a_solves_there += there.a_solves;
  }
  EXPECT_NEAR(a_solves_there, a_solves, 0.1 * a_solves);
  EXPECT_GT(touching, 0);
  const auto again = solve::simulate(on_gpu, model, settings, solve::initial_state(model));
  EXPECT_EQ(again.back().positions, found.back().positions);
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, CudaContact,
    testing::Values(Case{"rests", solve::Method::newton}, Case{"slides", solve::Method::newton},
                    Case{"without_friction", solve::Method::newton}, Case{"bounces", solve::Method::newton},
                    Case{"on_a_ball", solve::Method::newton}, Case{"ellipse", solve::Method::newton},
                    Case{"matchsticks", solve::Method::newton}, Case{"penalties", solve::Method::newton},
                    Case{"boxes", solve::Method::newton}, Case{"tied", solve::Method::newton}),
    name_of);
INSTANTIATE_TEST_SUITE_P(Methods, CudaContact,
                         testing::Values(Case{"slides", solve::Method::automatic}, Case{"slides", solve::Method::lbfgs},
                                         Case{"slides", solve::Method::anderson}, Case{"slides", solve::Method::admm},
                                         Case{"penalties", solve::Method::automatic},
                                         Case{"penalties", solve::Method::lbfgs},
                                         Case{"penalties", solve::Method::anderson}),
                         name_of);

// No vector of the body's goes over, but those of what may touch, and what is decomposed between contacts.
TEST(CudaContactCopies, WhatMayTouch) {
  device::testing::CudaShimEngine shim;
  jit::Engine engine;
  const model::Model model = bodies::make_block({.slope = 20, .friction = 0.3, .refine = 2});
  solve::Objective objective(model, engine);
  objective.use(shim.engine);
  const std::size_t some = 3 * sizeof(double) * objective.contacts().nodes().size();
  ASSERT_LT(some, sizeof(double) * model.initial_positions.size());
  const auto stepper = solve::make_stepper(objective, model, {.tolerance = 1e-8}, solve::initial_state(model));
  for (int step = 0; step < 3; ++step) stepper->advance(step);
  (void)shim.copied();
  (void)shim.calls();
  const auto report = stepper->advance(3);
  const auto copied = shim.copied();
  // Iterations of a linear system are queued ahead, all but the first as graphs; what is between systems waits more.
  const auto calls = shim.calls();
  EXPECT_LT(calls.waits, 2 * report.a_solves);
  EXPECT_GT(2 * calls.graphs, report.a_solves);
  EXPECT_LT(calls.launches, 20 * report.a_solves);
  const auto contacts = static_cast<std::size_t>(report.contact.stick + report.contact.slip);
  EXPECT_GT(contacts, 0u);
  EXPECT_GT(copied.up.bytes, 0u);
  constexpr std::size_t padding = 64;  // of columns
  EXPECT_LE(copied.up.largest, std::max(some, 2 * contacts * (2 * contacts + padding) * sizeof(double)));
  EXPECT_EQ(copied.down.largest, some);
}

// What slips is solved by GMRES, what sticks by CG: of both, iterations are queued ahead, as graphs.
TEST(CudaContactAhead, HasTheSameBitsHoweverManyIterationsAreQueued) {
  device::testing::CudaShimEngine shim;
  jit::Engine engine;
  for (const double friction : {0.3, 2.0}) {
    SCOPED_TRACE(friction);
    model::Model model = bodies::make_block({.slope = 20, .friction = friction, .height = 5e-4});
    model.steps = 3;
    const auto run = [&](bool graphs, int most) {
      solve::Objective objective(model, engine);
      objective.use(shim.engine);
      device::CudaAhead& ahead = objective.gpu()->algebra_of_vectors()->ahead;
      ahead.with_graphs = graphs;
      ahead.most = most;
      (void)shim.calls();
      auto states = solve::simulate(objective, model, {.tolerance = 1e-9}, solve::initial_state(model));
      return std::pair(shim.calls(), std::move(states.back()));
    };
    const auto [calls, right] = run(false, 1);
    EXPECT_EQ(calls.graphs, 0);
    for (const auto& [graphs, most] : {std::pair{true, 8}, {false, 8}, {true, 1}}) {
      const auto [fewer, found] = run(graphs, most);
      EXPECT_EQ(found.positions, right.positions);
      EXPECT_EQ(fewer.graphs > 0, graphs);
      EXPECT_EQ(fewer.launches < calls.launches, graphs);
      EXPECT_EQ(fewer.waits < calls.waits, most > 1);
    }
  }
}

}  // namespace
}  // namespace proxima
