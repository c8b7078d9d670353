// The point a minimisation of g is at, with its gradient, and the one way in which methods move it: along a direction
// of descent, by a line search that knows what rounding does to g. Counts what the methods spend.
#pragma once

#include <span>
#include <vector>

#include "runtime/solve/methods/cuda_trial_step.hpp"
#include "runtime/solve/methods/solver.hpp"

namespace proxima::solve {

// A gradient within this multiple of what rounding of positions does to it may be all there is to get.
inline constexpr double gradient_noise = 10;

template <class P>  // Potential, or CudaPotential
class BasicDescent {
 public:
  using System = typename P::System;
  using Vector = typename System::Vector;
  using In = typename System::In;
  using Out = typename System::Out;

  // g(x) must be finite. Evaluates the gradient.
  BasicDescent(const P& potential, double target, Out x);

  const P& potential() const { return *potential_; }
  const System& objective() const { return potential_->objective(); }
  In x() const { return x_; }
  In gradient() const { return gradient_; }          // N, zero on held nodes
  double norm() const { return outcome_.gradient; }  // of the gradient, N
  double first_norm() const { return first_norm_; }  // at the start
  double target() const { return target_; }
  bool done() const { return norm() <= target_; }
  // Whether the gradient may be nothing but what rounding of positions does to it.
  bool at_rounding() const;

  // Moves x along `direction` (zero on held nodes), its gradient with it, by the first of the lengths 1, 1/2, .. that
  // lowers g; false, and nothing moved, when none will do, or where g does not fall along it.
  bool line_search(In direction);

  // Moves x along `direction` by the whole of it where g falls by enough, measured by its slope along `measure` as
  // line_search measures a step of length 1; false, and nothing moved, where it does not. The direction need not
  // descend at x.
  bool try_step(In direction, In measure);
  bool try_step(In direction) { return try_step(direction, direction); }

  // Of the step that was taken last, where that is known.
  std::optional<PairNumbers> pair() const { return trial_.pair(); }

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

  // result <- -A^-1 grad g(x), along which g falls but at a stationary point.
  void preconditioned_descent(Out result);

  SolverOutcome& outcome() { return outcome_; }

 private:
  void begin(In direction, double length, In measure);
  // Decides about the step that has begun, and takes it. `slope`: of a step of length 1.
  bool accept(double length, double slope);
  bool suffices(double length, double slope);

  const P* potential_;
  double target_, first_norm_ = 0;
  Out x_;
  SolverOutcome outcome_;
  Vector gradient_;
  TrialStep<P> trial_;
  double trial_norm_ = 0;
};

}  // namespace proxima::solve
