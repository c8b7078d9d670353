// One implicit step with contact by penalties (contact/penalty.hpp):
//   grad g(x) - W(x)^T F(x) = 0,
// smooth equations, by Newton's method with a line search on their residual. Friction has no potential, so the linear
// systems are solved by GMRES, preconditioned by M = A + W^T K W, K what each contact answers a move by. Methods
// without H (contact_methods.hpp) go to x - M^-1 of what is left, and by acceleration farther.
#pragma once

#include <span>

#include "runtime/solve/contact/contact_step.hpp"
#include "runtime/solve/contact/penalty_point.hpp"

namespace proxima::solve {

// Lowers the residual from x, in place, until it is at most `target` (N). g(x) must be finite. Throws Error for a
// method that has no such form.
template <class P>  // Potential, or CudaPotential
ContactOutcome solve_penalty(BasicPenaltyEquations<P>& equations, const StepSettings& settings, double target,
                             typename P::System::Out x);

}  // namespace proxima::solve
