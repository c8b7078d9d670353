// Worlds side by side against each of them alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/rollout.hpp"
#include "runtime/solve/worlds.hpp"
#include "tests/solve/bodies.hpp"

namespace proxima {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

struct Case {
  model::Model model;
  solve::StepSettings settings{};
};

class Worlds : public testing::Test {
 protected:
  std::unique_ptr<solve::Objective> objective(const Case& one, int slow_modes) {
    return std::make_unique<solve::Objective>(one.model, engine_, factor::Storage::fp32, slow_modes);
  }

  static std::vector<solve::State> run(const solve::Objective& objective, const Case& one) {
    return solve::simulate(objective, one.model, one.settings, solve::initial_state(one.model));
  }

  // Positions after each step of each world.
  std::vector<std::vector<solve::State>> together(const std::vector<Case>& cases, int slow_modes = 0) {
    std::vector<std::unique_ptr<solve::Objective>> objectives;
    std::vector<std::vector<solve::State>> states(cases.size());
    std::vector<solve::World> worlds;
    objectives.reserve(cases.size());
    worlds.reserve(cases.size());
    for (const Case& one : cases) objectives.push_back(objective(one, slow_modes));
    for (std::size_t k = 0; k < cases.size(); ++k)
      worlds.push_back(
          {"world" + std::to_string(k), objectives[k].get(), [&, k] { states[k] = run(*objectives[k], cases[k]); }});
    try {
      work_ = solve::run_worlds(worlds);
    } catch (const Error& error) {
      error_ = error.what();
    }
    return states;
  }

  std::vector<std::vector<solve::State>> alone(const std::vector<Case>& cases, int slow_modes = 0) {
    std::vector<std::vector<solve::State>> states;
    states.reserve(cases.size());
    for (const Case& one : cases) states.push_back(run(*objective(one, slow_modes), one));
    return states;
  }

  static void expect_same_bits(const std::vector<solve::State>& found, const std::vector<solve::State>& right) {
    ASSERT_EQ(found.size(), right.size());
    for (std::size_t step = 0; step < right.size(); ++step) {
      EXPECT_EQ(found[step].positions, right[step].positions) << step;
      EXPECT_EQ(found[step].velocities, right[step].velocities) << step;
    }
  }

  jit::Engine engine_;
  solve::SharedWork work_;
  std::string error_;
};

// A bar that is held and twisted at its ends by so much, stirred by so much.
Case bar(double angle, double speed, int steps = 4) {
  Case one{bodies::make_bar()};
  bodies::hold_end(one.model, false);
  bodies::hold_end(one.model, true, {{0, {}, {}}, {0.04, {0.01, 0, 0}, {angle, 0, 0}}});
  bodies::stir(one.model, speed);
  one.model.steps = steps;
  one.settings.tolerance = 1e-8;
  return one;
}

TEST_F(Worlds, OfOneMatrixHaveTheBitsThatTheyHaveAlone) {
  std::vector<Case> cases{bar(0.3, 0), bar(-0.2, 1, 6), bar(0, 0.5), bar(0.1, 2, 2), bar(0.4, 0.1)};
  cases[1].settings.solver.method = solve::Method::automatic;
  cases[2].settings.solver.method = solve::Method::lbfgs;
  cases[4].settings.tolerance = 1e-5;
  for (const int threads : {1, 2, 8}) {
    device::set_threads(threads);
    const auto found = together(cases), right = alone(cases);
    EXPECT_EQ(error_, "");
    for (std::size_t k = 0; k < cases.size(); ++k) expect_same_bits(found[k], right[k]);
    EXPECT_GT(work_.applications, 2 * work_.passes);
  }
  device::set_threads(0);
}

TEST_F(Worlds, MayDeflate) {
  const std::vector<Case> cases{bar(0.3, 0), bar(-0.2, 1)};
  const auto found = together(cases, 12), right = alone(cases, 12);
  for (std::size_t k = 0; k < cases.size(); ++k) expect_same_bits(found[k], right[k]);
}

// The A of the first is the preconditioner of all.
TEST_F(Worlds, OfOtherParametersAreTheSameToTheirTolerance) {
  std::vector<Case> cases{bar(0.3, 0), bar(0.3, 0), bar(0.3, 0)};
  cases[1].model.regions[0].parameters[0] = {1.5e5};
  cases[2].model.regions[0].parameters[1] = {0.45};
  for (Case& one : cases) one.settings.tolerance = 1e-10;
  const auto found = together(cases), right = alone(cases);
  expect_same_bits(found[0], right[0]);
  for (std::size_t k = 1; k < cases.size(); ++k) {
    double difference = 0, motion = 0;
    for (std::size_t i = 0; i < right[k].back().positions.size(); ++i) {
      difference = std::max(difference, std::abs(found[k].back().positions[i] - right[k].back().positions[i]));
      motion = std::max(motion, std::abs(right[k].back().positions[i] - right[k].front().positions[i]));
    }
    EXPECT_LT(difference, 1e-8 * motion);
    EXPECT_NE(found[k].back().positions, found[0].back().positions);
  }
}

// Steps in much shorter parts need another A: such a world, the first one too, goes on by itself, and the others
// without it.
TEST_F(Worlds, MayGoOnAlone) {
  std::vector<Case> cases{bar(1.5, 0), bar(0.2, 1), bar(-1.5, 0, 2), bar(-0.3, 0, 6)};
  for (const std::size_t k : {0, 2}) cases[k].settings.solver.max_newton = 4;
  const auto found = together(cases), right = alone(cases);
  EXPECT_EQ(error_, "");
  for (std::size_t k = 0; k < cases.size(); ++k) expect_same_bits(found[k], right[k]);
  const auto first = objective(cases[0], 0);
  run(*first, cases[0]);
  EXPECT_GT(first->factorizations(), 1);
}

TEST_F(Worlds, ThatFailAreNamedAndKeepNobodyFromEnding) {
  std::vector<Case> cases{bar(0.3, 0), bar(0.2, 1), bar(-0.3, 0)};
  cases[1].settings.solver.max_newton = 1;
  cases[1].settings.max_substeps = 1;
  const auto found = together(cases);
  EXPECT_THAT(error_, AllOf(StartsWith("world1: "), HasSubstr("not solved in 1 iterations")));
  for (const std::size_t k : {0, 2}) expect_same_bits(found[k], alone({cases[k]})[0]);
}

TEST_F(Worlds, OfAnotherMeshAreRefused) {
  const Case first = bar(0.3, 0);
  Case free{bodies::make_bar()}, other{bodies::make_bar(6)};
  for (const Case& one : {free, other}) {
    const auto of_first = objective(first, 0), of_one = objective(one, 0);
    const solve::World worlds[] = {{"first", of_first.get(), {}}, {"second", of_one.get(), {}}};
    EXPECT_THAT(
        [&] { solve::run_worlds(worlds); },
        ThrowsMessage<Error>(HasSubstr("second: worlds that run together have one mesh and the same held nodes; "
                                       "these are not those of first")));
  }
  solve::Objective single(first.model, engine_, factor::Storage::fp64);
  solve::Objective copy(first.model, engine_, factor::Storage::fp32);
  const solve::World worlds[] = {{"first", &copy, {}}, {"second", &single, {}}};
  EXPECT_THAT([&] { solve::run_worlds(worlds); }, ThrowsMessage<Error>(HasSubstr("store the factor in one precision")));
}

}  // namespace
}  // namespace proxima
