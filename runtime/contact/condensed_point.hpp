// The forces of a condensed problem on their way to its solution.
#pragma once

#include <cstddef>
#include <span>

#include "runtime/contact/condensed.hpp"
#include "runtime/contact/displacements.hpp"

namespace proxima::contact {

// f with s = s0 + D f kept beside it.
class CondensedPoint {
 public:
  // Begins from forces on and inside their cones: P of the guess. Keeps references.
  CondensedPoint(const CondensedMatrix& D, std::span<const CondensedContact> contacts, std::span<const double> s0,
                 std::span<double> f);

  // The same problem at other forces, as they are.
  CondensedPoint(const CondensedPoint& other, std::span<double> f);

  std::size_t size() const { return contacts_.size(); }
  const CondensedContact& contact(std::size_t c) const { return contacts_[c]; }
  const CondensedMatrix& matrix() const { return D_; }
  double diagonal(std::size_t c) const { return D_.diagonal(c); }

  Vector3 force(std::size_t c) const { return {f_[3 * c], f_[3 * c + 1], f_[3 * c + 2]}; }
  Vector3 displacement(std::size_t c) const { return displacements_.at(c); }
  Vector3 trial(std::size_t c) const;  // f_c - s_c / D_cc

  // Gives one contact another force; displacements follow.
  void set_force(std::size_t c, const Vector3& force);
  // Gives all contacts other forces, three values each, and forms all displacements anew.
  void set_forces(std::span<const double> forces);
  // Forms all displacements anew: set_force adds up its rounding.
  void refresh() { displacements_.form(f_); }
  std::span<const double> forces() const { return f_; }

  double residual();  // CondensedOutcome::residual

 private:
  const CondensedMatrix& D_;
  std::span<const CondensedContact> contacts_;
  std::span<double> f_;
  Displacements displacements_;
};

}  // namespace proxima::contact
