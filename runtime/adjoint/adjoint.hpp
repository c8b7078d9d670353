// Gradient of a loss over a whole rollout by the discrete adjoint of its integrator: at each step, backward,
//   H z = dL/dx_{n+1} + (1/h) dL/dv_{n+1}   by CG on the exact Hessian, preconditioned by the forward factor;
//   dL/dx* = I z - (1/h) dL/dv_{n+1} - d(z . grad g)/dx*,  dL/dv* = M z/h,  dL/dtheta -= z . d(grad g)/dtheta,
//   dL/du = -z . d(grad g)/du  for what controllers set, pulled back to the state before and to their parameters,
//   dL/df_n = z,  with h, x* and v* of solve/step_start.hpp.
// Positions of held nodes are prescribed: their entries in every gradient are zero. Losses are in losses.hpp.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "runtime/solve/controls.hpp"
#include "runtime/solve/rollout.hpp"

namespace proxima::adjoint {

// A scalar function of the states. Frame 0 is the initial state, frame k the state after step k.
class Loss {
 public:
  virtual ~Loss() = default;
  // Adds this frame's derivatives to the spans, where they are not empty, and returns its value.
  virtual double frame(int frame, std::span<const double> positions, std::span<const double> velocities,
                       std::span<double> position_gradient, std::span<double> velocity_gradient) const = 0;
  // The last frame the loss looks at: a rollout must reach it.
  virtual int last_frame() const = 0;
};

struct AdjointSettings {
  double tolerance = 1e-9;  // relative residual of each linear solve
  int max_cg = 5000;
};

struct Gradient {
  double loss = 0;
  std::vector<double> positions, velocities;                 // w.r.t. the initial state, 3 a node
  std::vector<std::vector<std::vector<double>>> parameters;  // [region][parameter][1 or tet of the region]
  std::vector<double> densities;                             // one a region
  solve::ControllerParameters controllers;                   // [controller][parameter][component]
  std::vector<std::vector<double>> forces;                   // [step] w.r.t. the nodal force in that step, 3 a node
  // Evidence. The first two are of the forward steps and zero when backward() was given states.
  int a_solves_forward = 0;
  double worst_step_residual = 0;  // relative, as in StepReport
  int a_solves = 0;
  double worst_residual = 0;         // of the linear solves, relative, recomputed from the solution
  int negative_curvature_steps = 0;  // solved by MINRES: the state is not a minimum of g there
  double seconds_forward = 0, seconds_backward = 0;
};

// The loss of a rollout's states. Throws Error when they do not reach the loss's last frame.
double total_loss(const Loss& loss, const std::vector<solve::State>& states);

// The gradient at states found by solve::simulate with the same objective and model. Called back after each step with
// the number of steps done. Throws Error naming the material whose energy has a history
// (Objective::require_gradients), and naming the step when a linear solve does not come down in max_cg iterations.
Gradient backward(const solve::Objective& objective, const model::Model& model, const AdjointSettings& settings,
                  const Loss& loss, const std::vector<solve::State>& states, const std::function<void(int)>& each = {});

// simulate() and backward().
Gradient rollout_gradient(const solve::Objective& objective, const model::Model& model,
                          const solve::StepSettings& step_settings, const AdjointSettings& settings, const Loss& loss,
                          const solve::State& start);

}  // namespace proxima::adjoint
