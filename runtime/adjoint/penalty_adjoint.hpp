// The contacts of one implicit step by penalties, backward. With F(x) their forces the step is
//   grad g(x) - W(x)^T F(x) = 0,
// and its adjoint (H - d(W^T F)/dx)^T z = b, whose products are pull-backs of the forces: all that depends on x is in
// them. By GMRES, preconditioned by the transpose of what preconditions the forward step.
#pragma once

#include <vector>

#include "runtime/adjoint/step_contacts.hpp"
#include "runtime/solve/penalty_point.hpp"

namespace proxima::adjoint {

class PenaltyAdjoint : public StepContacts {
 public:
  PenaltyAdjoint(const solve::Objective& objective, const model::Model& model, double end,
                 const solve::StepStart& start, const solve::State& before, std::span<const double> after);

  bool any() const override;
  bool degenerate() const override { return false; }
  SolveEvidence solve(std::span<const double> b, derive::Quantity product, const AdjointSettings& settings,
                      std::span<double> z) override;
  void add(std::span<const double> z, std::span<double> by_x, std::span<double> before_x, std::span<double> before_v,
           std::span<double> by_rest, Gradient& gradient) const override;

 private:
  // By a contact's coefficients of friction, its stiffness, and the length that relaxes its friction.
  struct ByLaw {
    contact::Coefficients friction;
    double stiffness = 0, relaxed = 0;
  };
  // Adds the derivatives of z . W^T F by x, by the start and by obstacles, the last two of which may be empty, and
  // returns those by the law of each contact.
  std::vector<ByLaw> pull_back(std::span<const double> z, std::span<double> by_x, std::span<double> by_start,
                               std::span<model::ObstacleGradient> by_obstacles, std::span<double> by_rest) const;

  const solve::Objective& objective_;
  solve::Potential potential_;
  solve::PenaltyEquations equations_;
  solve::PenaltyPoint point_;
};

}  // namespace proxima::adjoint
