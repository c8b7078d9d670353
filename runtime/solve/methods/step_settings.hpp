// How closely and by what a time step is solved, and what it reports.
#pragma once

#include <array>

#include "runtime/solve/methods/solver.hpp"
#include "runtime/solve/objective/contact_settings.hpp"

namespace proxima::solve {

// `tolerance` bounds |grad g(x)| / reference, everywhere in Proxima. The reference is the smaller of
//   |grad g(y)|      the imbalance of the inertial target y, where there is one and it is in the energy's domain,
//   and |I (x_n - y)| + |elastic forces|     at the start of the step, held nodes moved to their targets,
// (quasi-static: of the second alone, with the given forces in the place of I (x_n - y)) and at least 1e7 times what
// rounding of the positions does to a gradient (Objective::gradient_rounding). The first alone would accept anything
// when steps are long, for then y is far from everything; the second when a body only falls. A step is also done when
// its gradient is down to `attainable` times that rounding, whatever the tolerance. Newton ends between 0.04 and 0.13
// of it when asked for more than there is; where a stiff part has large roundings the soft ones beside it can still be
// solved closer, which takes an iteration or two and matters to who takes differences of rollouts.
struct StepSettings {
  double tolerance = 1e-6;
  SolverSettings solver{};
  ContactSettings contact{};  // where the model has contacts; `solver` then is of the linear systems
  // A step that cannot be solved is halved, and its halves again, but not below this part of it. Sub-steps are those of
  // implicit Euler, or quasi-static. 1: never.
  int max_substeps = 64;
  double attainable = 0.25;
};

struct StepReport {
  int substeps = 0;                                       // 1 unless the step had to be halved
  int iterations = 0;                                     // of the solver, also those of what was then halved
  int a_solves = 0, hessian_products = 0, gradients = 0;  // as SolverOutcome
  int line_search_halvings = 0;
  ContactReport contact{};                        // where the model has contacts
  int parts = 1;                                  // in which the held nodes were moved
  double residual = 0;                            // relative, as above, the largest of its sub-steps
  double elastic_energy = 0, kinetic_energy = 0;  // J, at the end of the step; the first without dissipation
  std::array<double, 3> momentum{};               // kg m/s, of all nodes
  std::array<double, 3> angular_momentum{};       // kg m^2/s, about the origin
  bool negative_curvature = false;
  double seconds = 0;
};

}  // namespace proxima::solve
