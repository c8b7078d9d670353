// A step with contact by penalties at trial positions: what they leave unbalanced, and what preconditions its
// derivative.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "runtime/contact/penalty.hpp"
#include "runtime/solve/contact_set.hpp"
#include "runtime/solve/face_preconditioner.hpp"
#include "runtime/solve/potential.hpp"

namespace proxima::solve {

struct PenaltyPoint {
  std::vector<double> x;     // m, 3 a node
  std::vector<double> left;  // grad g - W^T F, N, zero on held nodes
  std::vector<contact::Geometry> at;
  double residual = 0;  // |left|; not finite where g is not
};

class PenaltyEquations {
 public:
  // `velocities` as in ContactSet. Keeps references.
  PenaltyEquations(const Potential& potential, const contact::StepSpan& step, std::span<const double> velocities)
      : potential_(potential), contacts_(potential.objective(), step, velocities) {}

  const Potential& potential() const { return potential_; }
  ContactSet& contacts() { return contacts_; }
  const ContactSet& contacts() const { return contacts_; }
  contact::PenaltyLaw law(const contact::Geometry& at, std::size_t c) const;

  PenaltyPoint evaluate(std::vector<double> x) const;

 private:
  const Potential& potential_;
  ContactSet contacts_;
};

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

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::solve
