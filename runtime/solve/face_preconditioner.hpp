// The saddle point systems of a face with A in the place of H: what preconditions those with H.
#pragma once

#include "runtime/contact/face.hpp"
#include "runtime/solve/contact_metric.hpp"

namespace proxima::solve {

// [A W^T; W 0]^-1 with what a face fixes, one application of A^-1: z and forces F with A z + W^T F = r, z zero where it
// is fixed.
class FacePreconditioner {
 public:
  FacePreconditioner(const Preconditioner& a, const ContactMetric& metric, const contact::Face& face);
  void apply(std::span<const double> r, std::span<double> z, std::span<double> forces);
  // A^-1 W^T f.
  void spread(std::span<const double> forces, std::span<double> z);
  // The forces that take most of r away: those of apply().
  void forces(std::span<const double> r, std::span<double> result);

 private:
  const Preconditioner& a_;
  const ContactMetric& metric_;
  const contact::Face& face_;
  std::vector<double> rows_, half_, at_contacts_;
};

}  // namespace proxima::solve
