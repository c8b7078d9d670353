// A step with contact by penalties at trial positions: what they leave unbalanced, and what preconditions its
// derivative.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "runtime/contact/penalty.hpp"
#include "runtime/factor/dense_lu.hpp"
#include "runtime/solve/contact/contact_set.hpp"
#include "runtime/solve/contact/contact_view.hpp"
#include "runtime/solve/contact/face_preconditioner.hpp"
#include "runtime/solve/objective/cuda_potential.hpp"

namespace proxima::solve {

template <class System>  // Objective, or CudaObjective
struct BasicPenaltyPoint {
  typename System::Vector x;       // m, 3 a node
  typename System::Vector left{};  // grad g - W^T F, N, zero on held nodes
  std::vector<contact::Geometry> at{};
  double residual = 0;  // |left|; not finite where g is not
};
using PenaltyPoint = BasicPenaltyPoint<Objective>;

template <class P>  // Potential, or CudaPotential
class BasicPenaltyEquations {
 public:
  using System = typename P::System;
  using Vector = typename System::Vector;
  using In = typename System::In;
  using Out = typename System::Out;
  using Point = BasicPenaltyPoint<System>;

  // `step`, `velocities` as in ContactSet. Keeps references.
  BasicPenaltyEquations(const P& potential, const contact::StepSpan& step, std::span<const double> velocities)
      : potential_(potential), view_(potential.objective()), contacts_(view_.host(), step, velocities) {}

  const P& potential() const { return potential_; }
  const System& objective() const { return potential_.objective(); }
  const ContactView<System>& view() const { return view_; }
  // As of ContactSet.
  bool add_near(In x) { return contacts_.add_near(view_.seen(x)); }
  bool add_missed(In x) { return contacts_.add_missed(view_.seen(x)); }
  ContactSet& contacts() { return contacts_; }
  const ContactSet& contacts() const { return contacts_; }
  contact::PenaltyLaw law(const contact::Geometry& at, std::size_t c) const;

  Point evaluate(Vector x) const;

 private:
  const P& potential_;
  ContactView<System> view_;
  ContactSet contacts_;
};
using PenaltyEquations = BasicPenaltyEquations<Potential>;

// The forces F of contacts that answer a move against each other by -K (of each contact one matrix) and, by D, move
// them themselves: F = K (u - D F). Contacts whose K is zero have none.
class PenaltyCoupling {
 public:
  using Block = std::array<contact::Vector3, 3>;
  // D: stored, m/N; `blocks`: K of each contact, N/m.
  PenaltyCoupling(const ContactMetric& d, std::vector<Block> blocks);
  ~PenaltyCoupling();

  bool exists() const;
  void forces(std::span<const double> u, std::span<double> result) const;

  // What it is made of: which contacts answer, K of all, and 1 + K D of those that do, three rows each.
  std::span<const std::size_t> active() const;
  std::span<const Block> blocks() const;
  const factor::DenseLu& decomposed() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::solve
