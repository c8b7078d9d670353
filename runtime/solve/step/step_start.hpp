// From where, and over what time, the implicit Euler step goes that a step of an integrator is: for steps and their
// adjoints.
#pragma once

#include <vector>

#include "runtime/solve/step/step.hpp"

namespace proxima::solve {

template <class Vector>
struct BasicStepStart {
  const model::IntegratorRow* row;
  double step = 0;               // s, effective
  Vector positions, velocities;  // x*, v*
};
using StepStart = BasicStepStart<std::vector<double>>;

// What takes a whole step of the model, from one state or where there are two.
const model::IntegratorRow& row_of_step(const model::Model& model, bool two_states);

// The whole step of the model after `state`.
StepStart step_start(const model::Model& model, const State& state);
// A step of `length` (s) by some integrator; it must not look at more states than there are.
StepStart step_start(model::Integrator integrator, double length, const State& state);

}  // namespace proxima::solve
