#include "runtime/solve/automatic.hpp"

#include "runtime/solve/lbfgs.hpp"
#include "runtime/solve/then_newton.hpp"

namespace proxima::solve {

void run_automatic(Descent& point, const SolverSettings& settings) {
  Lbfgs lbfgs(point, settings.window > 0 ? settings.window : Lbfgs::default_window);
  run_then_newton(point, lbfgs, Method::lbfgs, settings);
}

}  // namespace proxima::solve
