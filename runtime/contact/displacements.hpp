// What contacts are displaced by under forces that change, all at once or one at a time: s = s0 + D f.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "runtime/contact/condensed_matrix.hpp"

namespace proxima::contact {

class Displacements {
 public:
  // Those without forces until form() is called. Keeps references.
  Displacements(const CondensedMatrix& D, std::span<const double> s0);

  void form(std::span<const double> f);  // all of them anew
  // The force of one contact has changed. Rounding adds up.
  void add(std::size_t c, const Vector3& change);
  // Makes those of all contacts ready, so that at() costs nothing until the next change.
  void settle();
  Vector3 at(std::size_t c) const;

 private:
  void spread();

  const CondensedMatrix* D_;
  std::span<const double> s0_;
  std::array<std::vector<double>, 3> s_;  // by axis
  // Of a matrix that is not stored: the half-way vector of the forces, and whether s_ is that of it.
  std::vector<double> half_;
  bool settled_ = false;
};

}  // namespace proxima::contact
