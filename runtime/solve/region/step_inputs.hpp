// What a step sees of time and of what went before it, apart from x.
#pragma once

#include <span>

namespace proxima::solve {

struct StepInputs {
  double time = 0;                   // s, at its end: of actuations
  double step = 0;                   // s, the effective one: of inertia, rates and dissipation
  std::span<const double> previous;  // m, 3 a node, where that step starts (x*): of the previous strain
  std::span<const double> history;   // as many as model::initial_history gives
  std::span<const double> driven{};  // what controllers set (Controls::values); none in a model without
};

}  // namespace proxima::solve
