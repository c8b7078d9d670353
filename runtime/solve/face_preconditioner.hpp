// The systems of contacts that carry forces with A in the place of H: what preconditions those with H.
#pragma once

#include <functional>

#include "runtime/solve/contact_metric.hpp"

namespace proxima::solve {

// From u, what contacts would move by without forces (3 scalars a contact), their forces F.
using ForcesOfContacts = std::function<void(std::span<const double> u, std::span<double> forces)>;

// One application of A^-1: z and forces F with A z + W^T F = r, F what belongs to W A^-1 r. By contact::Face that is
// [A W^T; W 0]^-1 with what the face fixes, z zero there.
class FacePreconditioner {
 public:
  FacePreconditioner(const Preconditioner& a, const ContactMetric& metric, ForcesOfContacts between);
  void apply(std::span<const double> r, std::span<double> z, std::span<double> forces);
  // A^-1 W^T f.
  void spread(std::span<const double> forces, std::span<double> z);
  // The forces that take most of r away: those of apply().
  void forces(std::span<const double> r, std::span<double> result);

 private:
  const Preconditioner& a_;
  const ContactMetric& metric_;
  ForcesOfContacts between_;
  std::vector<double> rows_, half_, at_contacts_;
};

}  // namespace proxima::solve
