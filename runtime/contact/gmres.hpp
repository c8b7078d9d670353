// Restarted GMRES (Saad and Schultz 1986), for systems without symmetry: those of sliding contacts.
#pragma once

#include <span>
#include <vector>

#include "runtime/contact/krylov_basis.hpp"

namespace proxima::contact {

struct GmresOutcome {
  int iterations = 0;   // applications of the operator, those for restarts not counted
  double residual = 0;  // |b - op(u)|, by recurrence
};

// Solves op(u) = b from u = 0 until |b - op(u)| <= tolerance (absolute). Keeps up to 240 vectors: enough to find the
// few motions that next to nothing resists, as of a body that rolls, which every restart forgets; down to 80 where they
// would take more than 256 MB. `Basis`: KrylovBasis, or CudaKrylovBasis.
template <class Basis>
GmresOutcome basic_gmres(const typename Basis::Operator& op, typename Basis::In b, double tolerance, int max_iterations,
                         typename Basis::Out u);

inline GmresOutcome gmres(const std::function<void(std::span<const double>, std::span<double>)>& op,
                          std::span<const double> b, double tolerance, int max_iterations, std::span<double> u) {
  return basic_gmres<KrylovBasis>({op}, b, tolerance, max_iterations, u);
}

}  // namespace proxima::contact
