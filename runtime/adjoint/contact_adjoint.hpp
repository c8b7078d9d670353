// The contacts of one implicit step, backward. What is open, sticks and slides is frozen; with F_c the force of a
// contact, f where it sticks and f_n (n + w(x)) where it slides
// (slip_force.hpp), the step is
//   grad g(x) - W(x)^T F(x, f) = 0,   psi_c(x) = 0: gap beyond the least one and slip where it sticks, gap where it
//   slides,
// and its adjoint
//   (H - d(W^T F)/dx)^T z + (d psi/dx)^T m = b,   (dF/df)^T W z = 0,
// by GMRES, preconditioned by the same with A in the place of the first block. From z and m come the derivatives by
// all that contacts depend on beside x.
#pragma once

#include <vector>

#include "runtime/adjoint/step_contacts.hpp"
#include "runtime/contact/face.hpp"
#include "runtime/solve/contact/contact_point.hpp"

namespace proxima::adjoint {

template <class Place>  // HostSweep, or CudaSweep
class ContactAdjoint : public StepContacts<Place> {
 public:
  using typename StepContacts<Place>::Vector;
  using typename StepContacts<Place>::In;
  using typename StepContacts<Place>::Out;

  // As step_contacts().
  ContactAdjoint(const Place& place, const ForwardStep<Place>& step, contact::CondensedStorage storage);

  bool any() const override;
  bool degenerate() const override { return degenerate_; }
  SolveEvidence solve(In b, derive::Quantity product, const AdjointSettings& settings, Out z) override;
  void add(std::span<const double> z, std::span<double> by_x, std::span<double> before_x, std::span<double> before_v,
           std::span<double> by_rest, Gradient& gradient) const override;

 private:
  using System = typename Place::System;

  void set_states();
  // Bars on the geometry of sum of z . W^T F less sum of m . psi; `z`: 12 numbers a contact, at its nodes.
  std::vector<contact::Geometry> bars(std::span<const double> z, std::span<const double> m) const;
  // Of m, what belongs to psi: what turns a slip is part of the first block, and no multiplier.
  void keep_multipliers(std::span<double> m) const;
  void add_restitution(std::span<double> before_x, std::span<double> before_v, Gradient& gradient) const;

  const solve::Objective& host_;
  const solve::State& before_;
  typename Place::Potential potential_;
  solve::BasicContactEquations<typename Place::Potential> equations_;
  solve::ContactSet& contacts_;
  solve::BasicContactPoint<System> point_;
  std::vector<contact::FaceContact> states_;  // `fixed` and `force` as in the forward step
  std::vector<double> multipliers_;           // m, 3 a contact
  bool degenerate_ = false;
};

}  // namespace proxima::adjoint
