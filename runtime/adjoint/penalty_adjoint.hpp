// The contacts of one implicit step by penalties, backward. With F(x) their forces the step is
//   grad g(x) - W(x)^T F(x) = 0,
// and its adjoint (H - d(W^T F)/dx)^T z = b, whose products are pull-backs of the forces: all that depends on x is in
// them. By GMRES, preconditioned by the transpose of what preconditions the forward step.
#pragma once

#include <vector>

#include "runtime/adjoint/step_contacts.hpp"
#include "runtime/solve/contact/penalty_point.hpp"

namespace proxima::adjoint {

template <class Place>  // HostSweep, or CudaSweep
class PenaltyAdjoint : public StepContacts<Place> {
 public:
  using typename StepContacts<Place>::Vector;
  using typename StepContacts<Place>::In;
  using typename StepContacts<Place>::Out;

  // As step_contacts().
  PenaltyAdjoint(const Place& place, const ForwardStep<Place>& step);

  bool any() const override;
  bool degenerate() const override { return false; }
  SolveEvidence solve(In b, derive::Quantity product, const AdjointSettings& settings, Out z) override;
  void add(std::span<const double> z, std::span<double> by_x, std::span<double> before_x, std::span<double> before_v,
           std::span<double> by_rest, Gradient& gradient) const override;

 private:
  using System = typename Place::System;

  // By a contact's coefficients of friction, its stiffness, and the length that relaxes its friction.
  struct ByLaw {
    contact::Coefficients friction;
    double stiffness = 0, relaxed = 0;
  };
  // The derivatives of z . W^T F by the law of each contact, and by its geometry, which go to `bars`; `z`: 12 numbers a
  // contact, at its nodes.
  std::vector<ByLaw> pull_back(std::span<const double> z, std::vector<contact::Geometry>& bars) const;

  const solve::Objective& host_;
  typename Place::Potential potential_;
  solve::BasicPenaltyEquations<typename Place::Potential> equations_;
  solve::BasicPenaltyPoint<System> point_;
};

}  // namespace proxima::adjoint
