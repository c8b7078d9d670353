// One time step by the model's integrator, halved where it cannot be solved.
#pragma once

#include <array>
#include <vector>

#include "runtime/solve/contact_settings.hpp"
#include "runtime/solve/objective.hpp"
#include "runtime/solve/solver.hpp"

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

struct State {
  std::vector<double> positions;   // m
  std::vector<double> velocities;  // m/s
  std::vector<double> history{};   // what energies carry from step to step, as model::initial_history lays it out
  // One step earlier, where the integrator looks at two states. Empty at the start: the first step has one.
  std::vector<double> previous_positions{}, previous_velocities{};
  int substeps = 1;  // of the step that led here
};

// The step from `state` (at time t_n = n h, n = `step`) to t_{n+1}, in place. A function of its arguments
// alone, so a restart gives the same bits. Throws Error naming step, element and its stretches when it cannot be
// solved; `state` is then unchanged.
StepReport advance(const Objective& objective, const model::Model& model, int step, const StepSettings& settings,
                   State& state);

// One implicit step of those that a step came down to: from step_start(integrator, length, before) to `after`.
struct SubStep {
  model::Integrator integrator;  // the one that took it
  double end = 0, length = 0;    // s
  State before;
  std::vector<double> after;  // positions, m
};

// The implicit steps that advance() takes from `before`, in order, for those who have to follow each: one where the
// step is solved whole. Found by solving it again; the last `after` has the bits that advance() gives. Throws what
// advance() throws.
std::vector<SubStep> retrace(const Objective& objective, const model::Model& model, int step,
                             const StepSettings& settings, const State& before);

}  // namespace proxima::solve
