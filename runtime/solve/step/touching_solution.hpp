// One implicit step with contact, by its law or by penalties: its first guess is the best by the residual.
#pragma once

#include <optional>

#include "runtime/solve/contact/contact_step.hpp"
#include "runtime/solve/contact/penalty_step.hpp"
#include "runtime/solve/step/step_solution.hpp"

namespace proxima::solve {

template <class Given>  // StepGiven, or CudaGiven
class TouchingSolution : public StepSolution<Given> {
 public:
  using typename StepSolution<Given>::Potential;
  using typename StepSolution<Given>::System;
  using typename StepSolution<Given>::Vector;
  using typename StepSolution<Given>::In;
  using typename StepSolution<Given>::Out;

  TouchingSolution(const Given& given, const StepSettings& settings, StepReport& report);

 protected:
  Vector* best(std::vector<Vector>& guesses) override;
  SolverOutcome lower(double target, double reference, Out x) override;
  std::string too_many_iterations(const SolverOutcome& outcome, double residual) const override;

 private:
  using StepSolution<Given>::potential;
  double penalty_residual(In x);
  Vector* best_with_forces(std::vector<Vector>& guesses);

  typename ContactView<System>::Seen positions_, velocities_;  // at the start of the step
  std::optional<BasicContactEquations<Potential>> contacts_;   // by their law
  std::optional<BasicPenaltyEquations<Potential>> penalty_;    // or by penalties
  std::vector<double> first_forces_;                           // of the first, at the first guess
  std::string why_;                                            // contacts were not resolved
};

}  // namespace proxima::solve
