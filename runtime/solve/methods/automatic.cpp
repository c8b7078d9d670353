#include "runtime/solve/methods/automatic.hpp"

#include "runtime/solve/methods/lbfgs.hpp"
#include "runtime/solve/methods/then_newton.hpp"
#include "runtime/solve/objective/cuda_potential.hpp"

namespace proxima::solve {

template <class P>
void run_automatic(BasicDescent<P>& point, const SolverSettings& settings) {
  Lbfgs<P> lbfgs(point, settings.window > 0 ? settings.window : Lbfgs<P>::default_window);
  run_then_newton(point, lbfgs, Method::lbfgs, settings);
}

template void run_automatic(Descent&, const SolverSettings&);
template void run_automatic(BasicDescent<CudaPotential>&, const SolverSettings&);

}  // namespace proxima::solve
