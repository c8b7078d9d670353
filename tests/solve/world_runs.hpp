// Worlds of a bar side by side, and each of them alone, on the CPU or on a GPU: for tests.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/support/error.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "runtime/solve/step/worlds.hpp"
#include "tests/solve/bodies.hpp"

namespace proxima::worlds {

struct Case {
  model::Model model;
  solve::StepSettings settings{};
};

class WorldRuns : public testing::Test {
 protected:
  std::unique_ptr<solve::Objective> objective(const Case& one, int slow_modes = 0,
                                              const solve::Objective* like = nullptr) {
    auto made = std::make_unique<solve::Objective>(one.model, engine_, factor::Storage::fp32, slow_modes, like);
    if (gpu_ != nullptr) made->use(*gpu_);
    return made;
  }

  static std::vector<solve::State> run(const solve::Objective& objective, const Case& one) {
    return solve::simulate(objective, one.model, one.settings, solve::initial_state(one.model));
  }

  // Positions after each step of each world. `beside`: the factor is the first's where A is.
  std::vector<std::vector<solve::State>> together(const std::vector<Case>& cases, int slow_modes = 0,
                                                  bool beside = false) {
    std::vector<std::unique_ptr<solve::Objective>> objectives;
    std::vector<std::vector<solve::State>> states(cases.size());
    std::vector<solve::World> worlds;
    objectives.reserve(cases.size());
    worlds.reserve(cases.size());
    for (const Case& one : cases)
      objectives.push_back(
          objective(one, slow_modes, beside && !objectives.empty() ? objectives.front().get() : nullptr));
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
  device::CudaEngine* gpu_ = nullptr;  // where objectives run
  solve::SharedWork work_;
  std::string error_;
};

// A bar that is held and twisted at its ends by so much, stirred by so much.
inline Case bar(double angle, double speed, int steps = 4) {
  Case one{bodies::make_bar()};
  bodies::hold_end(one.model, false);
  bodies::hold_end(one.model, true, {{0, {}, {}}, {0.04, {0.01, 0, 0}, {angle, 0, 0}}});
  bodies::stir(one.model, speed);
  one.model.steps = steps;
  one.settings.tolerance = 1e-8;
  return one;
}

}  // namespace proxima::worlds
