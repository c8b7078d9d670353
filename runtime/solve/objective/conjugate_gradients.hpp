// Conjugate gradients on the exact Hessian H of the incremental potential, preconditioned by A. Forward steps and
// adjoint solves both use it. Stops, and says so, where it meets negative curvature; what to do then is the caller's.
#pragma once

#include <span>
#include <vector>

#include "runtime/solve/objective/cg_recurrence.hpp"
#include "runtime/solve/objective/cuda_cg_recurrence.hpp"
#include "runtime/solve/objective/objective.hpp"
#include "runtime/solve/objective/recycled_space.hpp"

namespace proxima::solve {

template <class System>
struct BasicCgWorkspace {
  explicit BasicCgWorkspace(const System& system)
      : residual(system.vector()),
        preconditioned(system.vector()),
        direction(system.vector()),
        image(system.vector()),
        recurrence(system) {}
  typename System::Vector residual, preconditioned, direction, image;
  CgRecurrence<System> recurrence;
};
using CgWorkspace = BasicCgWorkspace<Objective>;

// Solves H z = b, H as last set by system.linearise, from the given z until |b - H z| <= tolerance (absolute).
// b is zero on held nodes and so must z be. `zero_guess` says that z is zero and saves a product. `space`, turned to
// this H, betters the guess and is deflated.
// `System`: Objective, or CudaObjective.
template <class System>
CgOutcome conjugate_gradients(const System& system, typename System::In b, double tolerance, int max_iterations,
                              bool zero_guess, BasicCgWorkspace<System>& work, typename System::Out z,
                              const BasicRecycledSpace<System>* space = nullptr);

}  // namespace proxima::solve
