// A method that needs no Hessian as long as it makes progress, then inexact Newton.
#pragma once

#include "runtime/solve/newton.hpp"

namespace proxima::solve {

// `first` has advance() as Newton has. It goes on down to a hundredth of the first gradient, from where Newton's model
// of g is good enough (on the twisted cantilever and the scenes better than 1e-1 and 1e-3), as long as it halves the
// least gradient seen within 50 iterations.
template <class P, class First>
void run_then_newton(BasicDescent<P>& point, First& first, Method method, const SolverSettings& settings) {
  constexpr double near = 1e-2;
  constexpr int patience = 50;
  point.outcome().finished_by = method;
  double halved = point.norm() / 2;
  for (int waited = 0; !point.done() && point.norm() > near * point.first_norm() && waited < patience; ++waited) {
    ++point.outcome().iterations;
    if (!first.advance()) break;
    if (point.norm() > halved) continue;
    halved = point.norm() / 2;
    waited = 0;
  }
  if (!point.done()) run_newton(point, settings);
}

}  // namespace proxima::solve
