// One implicit step with contact, by its law or by penalties: its first guess is the best by the residual.
#pragma once

#include <optional>

#include "runtime/solve/contact_step.hpp"
#include "runtime/solve/penalty_step.hpp"
#include "runtime/solve/step_given.hpp"
#include "runtime/solve/step_solution.hpp"

namespace proxima::solve {

class TouchingSolution : public StepSolution<StepGiven> {
 public:
  TouchingSolution(const StepGiven& given, const StepSettings& settings, StepReport& report);

 protected:
  Vector* best(std::vector<Vector>& guesses) override;
  SolverOutcome lower(double target, double reference, Out x) override;
  std::string too_many_iterations(const SolverOutcome& outcome, double residual) const override;

 private:
  double penalty_residual(const Vector& x);
  Vector* best_with_forces(std::vector<Vector>& guesses);

  std::optional<ContactEquations> contacts_;  // by their law
  std::optional<PenaltyEquations> penalty_;   // or by penalties
  std::vector<double> first_forces_;          // of the first, at the first guess
  std::string why_;                           // contacts were not resolved
};

}  // namespace proxima::solve
