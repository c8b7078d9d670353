// All states of a rollout, and how each was found.
#pragma once

#include <vector>

#include "runtime/solve/step/rollout.hpp"

namespace proxima::test {

inline jit::Engine& shared_engine() {
  static jit::Engine engine;
  return engine;
}

struct Run {
  std::vector<solve::State> states;
  std::vector<solve::StepReport> reports;
};

inline Run run(const solve::Objective& objective, const model::Model& model, const solve::StepSettings& settings) {
  Run result;
  result.states = solve::simulate(
      objective, model, settings, solve::initial_state(model),
      [&](int, const solve::State&, const solve::StepReport& report) { result.reports.push_back(report); });
  return result;
}

inline Run run(const model::Model& model, const solve::StepSettings& settings = {.tolerance = 1e-8}) {
  return run(solve::Objective(model, shared_engine()), model, settings);
}

}  // namespace proxima::test
