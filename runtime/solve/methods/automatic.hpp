// L-BFGS as long as it makes progress, then inexact Newton: far from the solution a product with the Hessian tells
// little, near it little else does.
#pragma once

#include "runtime/solve/methods/descent.hpp"

namespace proxima::solve {

// Until the target is reached, as MethodEntry::run.
template <class P>  // Potential, or CudaPotential
void run_automatic(BasicDescent<P>& point, const SolverSettings& settings);

}  // namespace proxima::solve
