// How one implicit step is solved, wherever the body lives: first guess, held nodes, what "solved" means, messages.
#pragma once

#include <string>
#include <vector>

#include "runtime/solve/step/step.hpp"

namespace proxima::solve {

template <class Given>  // StepGiven, or CudaGiven
class StepSolution {
 public:
  using Potential = typename Given::Potential;
  using System = typename Potential::System;
  using Vector = typename System::Vector;
  using In = typename System::In;
  using Out = typename System::Out;

  // Keeps references.
  StepSolution(const Given& given, const StepSettings& settings, StepReport& report)
      : given_(given), settings_(settings), report_(report) {}
  virtual ~StepSolution() = default;
  StepSolution(const StepSolution&) = delete;
  StepSolution& operator=(const StepSolution&) = delete;

  // As solve_implicit.
  Vector find();

 protected:
  // Of the first guesses the one to start from; null where all are outside the domain.
  virtual Vector* best(std::vector<Vector>& guesses);
  // Until the residual is at most `target` (N), from x, in place; `reference`: what a residual of 1 is.
  virtual SolverOutcome lower(double target, double reference, Out x);
  // Why the step is refused after as many iterations as there may be.
  virtual std::string too_many_iterations(const SolverOutcome& outcome, double residual) const;

  const Given& given() const { return given_; }
  const Potential& potential() const { return given_.potential(); }
  const StepSettings& settings() const { return settings_; }
  StepReport& report() { return report_; }

 private:
  // Of x* + p/I, x_n + h v_n and x_n, with held nodes at their targets, the best; where all of them are outside the
  // domain, x_n with held nodes moved in parts, or brought into it where it is outside itself.
  Vector predict();
  Vector free_flight() const;
  // From a state that is itself outside the domain, its held nodes at their targets, into it.
  Vector enter();
  // Moves held nodes from where x_n has them to their targets, the free ones following.
  Vector move_in_parts();
  // See StepSettings. `start` takes the place of x_n with held nodes moved where that is outside the domain.
  double reference_gradient(In start) const;
  double elastic_norm(In x) const;  // of the elastic gradient; not finite outside the domain
  void count(const SolverOutcome& outcome);
  [[noreturn]] void refuse(const std::string& why, In x) const;

  const Given& given_;
  const StepSettings& settings_;
  StepReport& report_;
};

}  // namespace proxima::solve
