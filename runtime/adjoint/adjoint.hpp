// Gradient of a loss over a whole rollout by the discrete adjoint of its integrator: at each step, backward,
//   H z = dL/dx_{n+1} + (1/h) dL/dv_{n+1} + ...   by CG on the exact Hessian, preconditioned by the forward factor,
// and from z the derivatives by all that the step was given (step_adjoint.hpp). Losses are in losses.hpp.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/adjoint/filter.hpp"
#include "runtime/adjoint/tape.hpp"
#include "runtime/contact/condensed.hpp"
#include "runtime/solve/objective/controls.hpp"
#include "runtime/solve/step/rollout.hpp"

namespace proxima::adjoint {

// A scalar function of the states. Frame 0 is the initial state, frame k the state after step k.
class Loss {
 public:
  virtual ~Loss() = default;
  // Adds this frame's derivatives to the spans, where they are not empty, and returns its value.
  virtual double frame(int frame, std::span<const double> positions, std::span<const double> velocities,
                       std::span<double> position_gradient, std::span<double> velocity_gradient) const = 0;
  // The same of what it looks at between frame - 1 and `frame`, by the positions in these two. Frames from 1 on.
  virtual double between(int /*frame*/, std::span<const double> /*before*/, std::span<const double> /*after*/,
                         std::span<double> /*before_gradient*/, std::span<double> /*after_gradient*/) const {
    return 0;
  }
  // The last frame the loss looks at: a rollout must reach it.
  virtual int last_frame() const = 0;
};

struct AdjointSettings {
  double tolerance = 1e-9;  // relative residual of each linear solve
  int max_cg = 5000;
  Checkpoints checkpoints{};  // which states a rollout keeps
  HessianChoice hessian = HessianChoice::exact;
  bool estimate_errors = false;  // see ErrorEvidence: costs about as much again, and the memory of all states
  // Whether the matrix between contacts is stored; penalties have theirs stored.
  contact::CondensedStorage contact_matrix = contact::CondensedStorage::by_size;
  bool rest_shape = false, motions = false;  // whether these gradients are wanted: they cost some more products a step
};

// A relative error of a gradient: of the part of it where it is largest, "mu of 'soft'".
struct PartError {
  double relative = 0;
  std::string part;
};

// What tolerances do, estimated to first order (error_estimate.hpp): relative errors of the loss by the steps', and of
// the gradient by the adjoint's and by the steps'.
struct ErrorEvidence {
  double loss = 0;
  PartError adjoint, forward;
};

// In the shape of the model. Positions of held nodes are prescribed: their entries in `positions`, `velocities` and
// `nodal_forces` are zero, and what a loss gains by them is in `motions`.
struct Gradient {
  double loss = 0;
  std::vector<double> positions, velocities, history;  // by the initial state: 3 a node, and as State::history
  std::vector<solve::RegionGradient> regions;
  solve::ControllerParameters controllers;
  model::Vector3 gravity{};
  std::vector<model::Vector3> forces;              // one for each of Model::forces, by the force on each of its nodes
  std::vector<std::vector<double>> force_factors;  // likewise, by the values at the keys of its factor
  std::vector<double> nodal_forces;                // by forces that act in all steps, 3 a node
  std::vector<model::SurfaceLoadGradient> surface_loads;
  // Of contact: one of each for each pair, and one for each obstacle.
  std::vector<double> friction, friction_across, friction_crossed, restitution, penalty_stiffness, slip_speed;
  std::vector<model::ObstacleGradient> obstacles;
  std::vector<model::Vector3> ties;            // by where each tie holds its nodes
  std::vector<model::MotionGradient> motions;  // of held nodes; none unless wanted
  // By the rest positions, 3 a node, none unless wanted: through stress and stiffness, mass, and where nodes are held.
  // Initial positions are another matter, and so are forces that were made from areas at rest.
  std::vector<double> rest;
  // Evidence. The first two are of the forward steps and zero when backward() was given states.
  int a_solves_forward = 0;
  double worst_step_residual = 0;  // relative, as in StepReport
  int a_solves = 0;
  double worst_residual = 0;  // of the linear solves, relative, recomputed from the solution
  // Steps, from 1 on, whose state is not a minimum of g: solved by MINRES.
  std::vector<int> negative_curvature;
  // Steps with a contact at a kink, where this is the derivative on one side: it touches without a force, or is between
  // sticking and sliding.
  std::vector<int> kinks;
  // Steps whose solution a filter changed by more than the tolerance, so that this is not the gradient of the loss, and
  // the largest |b - H z|/|b| of filtered solutions with the exact H. None with HessianChoice::exact.
  std::vector<int> filtered;
  double worst_exact_residual = 0;
  std::optional<ErrorEvidence> errors;  // where they are asked for
  long advances = 0;                    // forward steps taken, those to find states again included
  std::size_t peak_bytes = 0;           // of the states that were held at once
  double seconds_forward = 0, seconds_backward = 0;
};

// After the adjoint of a step.
struct BackwardStep {
  int done = 0;                   // steps so far
  int step = 0;                   // this one, 0 for the first of the rollout
  std::span<const double> force;  // dL by the nodal force in this step, 3 a node
};
using BackwardCallback = std::function<void(const BackwardStep&)>;

// The loss of a rollout's states. Throws Error when they do not reach the loss's last frame.
double total_loss(const Loss& loss, const std::vector<solve::State>& states);

// The gradient at the states of a rollout of the same objective and model with these settings; a step that was halved
// is solved again, to follow its sub-steps. Throws Error naming the step when a linear solve does not come down in
// max_cg iterations, and the material that has no gradient by the rest shape where that is wanted.
Gradient backward(const solve::Objective& objective, const model::Model& model,
                  const solve::StepSettings& step_settings, const AdjointSettings& settings, const Loss& loss,
                  Tape& tape, const BackwardCallback& each = {});

// A rollout from `start`, and backward().
Gradient rollout_gradient(const solve::Objective& objective, const model::Model& model,
                          const solve::StepSettings& step_settings, const AdjointSettings& settings, const Loss& loss,
                          const solve::State& start, const BackwardCallback& each = {});

}  // namespace proxima::adjoint
