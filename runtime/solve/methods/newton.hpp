// Inexact Newton: conjugate gradients on the exact Hessian, preconditioned by A, up to negative curvature; line search
// on g. Forcing terms after Dembo, Eisenstat and Steihaug, Inexact Newton methods, 1982.
#pragma once

#include <vector>

#include "runtime/solve/methods/descent.hpp"
#include "runtime/solve/objective/conjugate_gradients.hpp"

namespace proxima::solve {

template <class P>  // Potential, or CudaPotential
class Newton {
 public:
  Newton(BasicDescent<P>& point, int max_cg);

  // One iteration; false when g can be lowered no more.
  bool advance();

 private:
  void find_direction(double forcing);
  // From x + direction, if that is in the domain, to a point that g accepts in place of x.
  bool corrected_step();

  BasicDescent<P>& point_;
  int max_cg_;
  double start_norm_;  // of the gradient
  BasicCgWorkspace<typename P::System> work_;
  typename P::System::Vector minus_gradient_, direction_, corrected_;
};

// Until the target is reached, as MethodEntry::run.
template <class P>
void run_newton(BasicDescent<P>& point, const SolverSettings& settings);

}  // namespace proxima::solve
