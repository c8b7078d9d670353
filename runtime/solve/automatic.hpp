// L-BFGS as long as it makes progress, then inexact Newton: far from the solution a product with the Hessian tells
// little, near it little else does.
#pragma once

#include "runtime/solve/descent.hpp"

namespace proxima::solve {

// Until the target is reached, as MethodEntry::run.
void run_automatic(Descent& point, const SolverSettings& settings);

}  // namespace proxima::solve
