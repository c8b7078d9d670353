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
#include "runtime/solve/contact_point.hpp"

namespace proxima::adjoint {

class ContactAdjoint : public StepContacts {
 public:
  // As step_contacts().
  ContactAdjoint(const solve::Objective& objective, const model::Model& model, double end,
                 const solve::StepStart& start, const solve::State& before, std::span<const double> after,
                 contact::CondensedStorage storage);

  bool any() const override;
  bool degenerate() const override { return degenerate_; }
  SolveEvidence solve(std::span<const double> b, derive::Quantity product, const AdjointSettings& settings,
                      std::span<double> z) override;
  void add(std::span<const double> z, std::span<double> by_x, std::span<double> before_x, std::span<double> before_v,
           std::span<double> by_rest, Gradient& gradient) const override;

 private:
  // Bars on the geometry of sum of z . W^T F (scale 1) less sum of m . psi.
  std::vector<contact::Geometry> bars(std::span<const double> z, std::span<const double> m) const;
  void add_restitution(std::span<double> before_x, std::span<double> before_v, Gradient& gradient) const;

  const solve::Objective& objective_;
  const solve::State& before_;
  solve::Potential potential_;
  solve::ContactEquations equations_;
  solve::ContactSet& contacts_;
  solve::ContactPoint point_;
  std::vector<contact::FaceContact> states_;  // `fixed` and `force` as in the forward step
  std::vector<double> multipliers_;           // m, 3 a contact
  bool degenerate_ = false;
};

}  // namespace proxima::adjoint
