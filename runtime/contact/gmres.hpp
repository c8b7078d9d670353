// Restarted GMRES (Saad and Schultz 1986), for systems without symmetry: those of sliding contacts.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace proxima::contact {

struct GmresOutcome {
  int iterations = 0;   // applications of the operator, those for restarts not counted
  double residual = 0;  // |b - op(u)|, by recurrence
};

// y <- op(u); called in order, so it may keep what belongs to u.
using LinearOperator = std::function<void(std::span<const double>, std::span<double>)>;

// Solves op(u) = b from u = 0 until |b - op(u)| <= tolerance (absolute). Keeps up to 240 vectors: enough to find the
// few motions that next to nothing resists, as of a body that rolls, which every restart forgets; down to 80 where they
// would take more than 256 MB.
GmresOutcome gmres(const LinearOperator& op, std::span<const double> b, double tolerance, int max_iterations,
                   std::span<double> u);

}  // namespace proxima::contact
