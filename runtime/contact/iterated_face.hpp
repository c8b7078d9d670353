// The forces of a face (face.hpp) without dense matrices: GMRES on what sticks and slips, all at once, scaled by the
// diagonal, with products as the matrix makes them.
#pragma once

#include <span>
#include <vector>

#include "runtime/contact/condensed_matrix.hpp"
#include "runtime/contact/face_contact.hpp"

namespace proxima::contact {

class IteratedFace {
 public:
  // D: matrix-free. Systems are solved to a residual of `tolerance`, relative to the right-hand side as it is scaled.
  IteratedFace(const CondensedMatrix& D, FaceRows rows, double tolerance);

  // As Face::forces; false where GMRES does not come down to the tolerance.
  bool forces(std::span<const double> u, std::span<const FaceContact> now, std::span<double> result);
  // Whether the products so far have taken as long as decomposing what sticks and slips would, where that is no matter
  // of memory.
  bool dear() const;

 private:
  // Forces of what sticks, then of what slips, from the unknowns; and the equations of what these move.
  void spread(std::span<const double> unknowns, std::span<double> forces) const;
  void multiply(std::span<const double> unknowns, std::span<double> result) const;

  FaceRows rows_;
  CondensedMatrix among_;      // of what sticks, then of what slips
  std::vector<double> scale_;  // of unknowns and equations: one over the root of their diagonal entry
  double tolerance_;
  double products_ = 0, worth_;  // so far, and how many a decomposition is worth
};

}  // namespace proxima::contact
