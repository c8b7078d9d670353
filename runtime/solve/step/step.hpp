// One time step by the model's integrator, halved where it cannot be solved.
#pragma once

#include <vector>

#include "runtime/solve/methods/step_settings.hpp"
#include "runtime/solve/objective/objective.hpp"
#include "runtime/solve/objective/state.hpp"

namespace proxima::solve {

// The step from `state` (at time t_n = n h, n = `step`) to t_{n+1}, in place. A function of its arguments
// alone, so a restart gives the same bits. Throws Error naming step, element and its stretches when it cannot be
// solved; `state` is then unchanged.
StepReport advance(const Objective& objective, const model::Model& model, int step, const StepSettings& settings,
                   State& state);

// One implicit step of those that a step came down to: from step_start(integrator, length, before) to `after`.
struct SubStep {
  model::Integrator integrator;  // the one that took it
  double end = 0, length = 0;    // s
  State before;
  std::vector<double> after;                  // positions, m
  std::vector<model::ContactKey> touching{};  // at the end, as of State
};

// The implicit steps that advance() takes from `before`, in order, for those who have to follow each: one where the
// step is solved whole. Found by solving it again; the last `after` has the bits that advance() gives. Throws what
// advance() throws.
std::vector<SubStep> retrace(const Objective& objective, const model::Model& model, int step,
                             const StepSettings& settings, const State& before);

}  // namespace proxima::solve
