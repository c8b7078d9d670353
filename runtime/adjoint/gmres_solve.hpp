// Linear systems of the adjoint without symmetry, those of contacts: GMRES again and again, until the residual that
// counts, recomputed, is small enough.
#pragma once

#include <functional>
#include <span>

#include "runtime/adjoint/linear_solve.hpp"
#include "runtime/contact/gmres.hpp"

namespace proxima::adjoint {

// op: y <- op(u), which may keep what belongs to u; `take`: after op, adds that to the solution.
SolveEvidence solve_by_gmres(const contact::LinearOperator& op, std::span<const double> b,
                             const AdjointSettings& settings, const std::function<void()>& take);

}  // namespace proxima::adjoint
