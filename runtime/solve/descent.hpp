// The point a minimisation of g is at, with its gradient, and the one way in which methods move it: along a direction
// of descent, by a line search that knows what rounding does to g. Counts what the methods spend.
#pragma once

#include <span>
#include <vector>

#include "runtime/solve/solver.hpp"

namespace proxima::solve {

class Descent {
 public:
  // g(x) must be finite. Evaluates the gradient.
  Descent(const Potential& potential, double target, std::span<double> x);

  const Potential& potential() const { return *potential_; }
  const Objective& objective() const { return potential_->objective(); }
  std::span<const double> x() const { return x_; }
  std::span<const double> gradient() const { return gradient_; }  // N, zero on held nodes
  double norm() const { return outcome_.gradient; }               // of the gradient, N
  double first_norm() const { return first_norm_; }               // at the start
  double target() const { return target_; }
  bool done() const { return norm() <= target_; }
  // Whether the gradient may be nothing but what rounding of positions does to it.
  bool at_rounding() const;

  // Moves x along `direction` (zero on held nodes), its gradient with it, by the first of the lengths 1, 1/2, .. that
  // lowers g; false, and nothing moved, when none will do. `slope` is grad g . direction, which must be negative.
  bool line_search(std::span<const double> direction, double slope);

  // Moves x along `direction` by the whole of it where g falls by enough, measured by `slope` as line_search measures a
  // step of length 1; false, and nothing moved, where it does not. The direction need not descend at x.
  bool try_step(std::span<const double> direction, double slope);

  // Iterations of a method, whose advance() returns false when it can do no more, until the gradient is down to the
  // target.
  template <class Iteration>
  SolverEnd iterate(Iteration& method, int max_iterations) {
    for (int iteration = 0; !done(); ++iteration) {
      if (iteration == max_iterations) return SolverEnd::iterations;
      ++outcome_.iterations;
      if (!method.advance()) return at_rounding() ? SolverEnd::rounding : SolverEnd::stuck;
    }
    return SolverEnd::converged;
  }

  // result <- -A^-1 grad g(x); returns grad g . result, which is negative but at a stationary point.
  double preconditioned_descent(std::span<double> result);

  SolverOutcome& outcome() { return outcome_; }

 private:
  bool accept(std::span<const double> direction, double length, double slope);

  const Potential* potential_;
  double target_, first_norm_ = 0;
  std::span<double> x_;
  SolverOutcome outcome_;
  std::vector<double> gradient_, trial_, trial_gradient_;
};

}  // namespace proxima::solve
