// A method that needs no Hessian as long as it makes progress, then inexact Newton.
#pragma once

#include "runtime/solve/methods/newton.hpp"

namespace proxima::solve {

// How long a first method goes on: down to a hundredth of the first gradient, from where Newton's model of g is good
// enough (on the twisted cantilever and the scenes better than 1e-1 and 1e-3), as long as it halves the least gradient
// seen within 50 iterations.
class WhileItGetsOn {
 public:
  explicit WhileItGetsOn(double first) : near_(1e-2 * first), halved_(first / 2) {}

  // To be asked before each iteration.
  bool operator()(double norm) {
    constexpr int patience = 50;
    if (norm <= halved_) {
      halved_ = norm / 2;
      waited_ = 1;
    }
    return norm > near_ && waited_++ < patience;
  }

 private:
  double near_, halved_;
  int waited_ = 0;
};

// `first` has advance() as Newton has.
template <class P, class First>
void run_then_newton(BasicDescent<P>& point, First& first, Method method, const SolverSettings& settings) {
  point.outcome().finished_by = method;
  WhileItGetsOn gets_on(point.first_norm());
  while (!point.done() && gets_on(point.norm())) {
    ++point.outcome().iterations;
    if (!first.advance()) break;
  }
  if (!point.done()) run_newton(point, settings);
}

}  // namespace proxima::solve
