// One implicit step, which is what every integrator and every sub-step comes down to. Knows nothing of integrators.
#pragma once

#include <string>
#include <vector>

#include "compiler/support/error.hpp"
#include "runtime/solve/step/step_start.hpp"

namespace proxima::solve {

// I (x - x*) - M v*/h - f + dE/dx = 0, I and E those of the step that the objective has entered; without inertia I and
// v* are zero.
struct ImplicitStep {
  std::string name;   // for messages
  double time = 0;    // s, at its end
  double length = 0;  // s, from the state that the body is in to there
};

// What is given in that equation, M v*/h + f: with gravity, nodal forces at `time` (s, the end of the step) and those
// of surface loads on the state that the body is in. N, 3 a node.
std::vector<double> given_force(const Objective& objective, const model::Model& model, double time,
                                const StepStart& start, const State& state);

// Not solved; shorter steps may be.
struct Unsolved : Error {
  using Error::Error;
};

// The positions at its end. Adds to the report what it did, whether it is solved or not. Throws Unsolved naming step,
// element and its stretches, and Error when the state that the body is in has no finite energy.
std::vector<double> solve_implicit(const Objective& objective, const model::Model& model, const StepSettings& settings,
                                   const ImplicitStep& step, const StepStart& start, const State& state,
                                   StepReport& report);

}  // namespace proxima::solve
