// Linear systems of the adjoint without symmetry, those of contacts: GMRES again and again, until the residual that
// counts, recomputed, is small enough.
#pragma once

#include <functional>
#include <span>

#include "runtime/adjoint/system_solver.hpp"
#include "runtime/contact/gmres.hpp"

namespace proxima::adjoint {

// op: y <- op(u), which may keep what belongs to u; `take`: after op, adds that to the solution.
// `Basis`: as of basic_gmres.
template <class Basis>
SolveEvidence solve_by_gmres(const typename Basis::Operator& op, typename Basis::In b, const AdjointSettings& settings,
                             const std::function<void()>& take);

}  // namespace proxima::adjoint
