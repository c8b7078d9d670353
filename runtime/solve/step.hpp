// One implicit Euler step: where its minimisation starts, what "solved" means, and what is said when it fails.
#pragma once

#include <span>
#include <vector>

#include "runtime/solve/objective.hpp"
#include "runtime/solve/solver.hpp"

namespace proxima::solve {

// `tolerance` bounds |grad g(x)| / reference, everywhere in Proxima. The reference is the smaller of
//   |grad g(y)|                              the imbalance of the inertial target, where y is in the energy's domain,
//   and |M (x_n - y)/h^2| + |elastic forces|     at the start of the step, held nodes moved to their targets,
// and at least 1e7 times what rounding of the positions does to a gradient (Objective::gradient_rounding). The first
// alone would accept anything when steps are long, for then y is far from everything; the second when a body only
// falls. A step is also done when its gradient is down to that rounding, whatever the tolerance.
struct StepSettings {
  double tolerance = 1e-6;
  SolverSettings solver{};
};

struct StepReport {
  int iterations = 0;                                     // of the solver
  int a_solves = 0, hessian_products = 0, gradients = 0;  // as SolverOutcome
  int line_search_halvings = 0;
  int parts = 1;                                  // in which the held nodes were moved
  double residual = 0;                            // relative, as above
  double elastic_energy = 0, kinetic_energy = 0;  // J, at the end of the step; the first without dissipation
  bool negative_curvature = false;
  double seconds = 0;
};

struct State {
  std::vector<double> positions;   // m
  std::vector<double> velocities;  // m/s
  std::vector<double> history{};   // what energies carry from step to step, as model::initial_history lays it out
};

// The step from `state` (at time t_n = n h, n = `step`) to t_{n+1}, in place. A function of its arguments
// alone, so a restart gives the same bits. Throws Error naming step, element and its stretches when it cannot be
// solved; `state` is then unchanged.
StepReport advance(const Objective& objective, const model::Model& model, int step, const StepSettings& settings,
                   State& state);

}  // namespace proxima::solve
