// Gradient of a loss over a whole rollout by the discrete adjoint of implicit Euler: at each step, backward,
//   H z = dL/dx_{n+1} + (1/h) dL/dv_{n+1}   by CG on the exact Hessian, preconditioned by the forward factor.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "runtime/solve/step.hpp"

namespace proxima::adjoint {

// A scalar function of the states. Frame 0 is the initial state, frame k the state after step k.
class Loss {
 public:
  virtual ~Loss() = default;
  // Adds this frame's value and, where the spans are not empty, its derivatives.
  virtual double frame(int frame, std::span<const double> positions, std::span<const double> velocities,
                       std::span<double> position_gradient, std::span<double> velocity_gradient) const = 0;
};

struct AdjointSettings {
  double tolerance = 1e-9;  // relative residual of each linear solve
  int max_cg = 5000;
};

struct Gradient {
  double loss = 0;
  std::vector<double> positions, velocities;                     // w.r.t. the initial state, 3 a node
  std::vector<std::vector<std::vector<double>>> parameters;      // [region][parameter][1 or tet of the region]
  std::vector<double> densities;                                 // one a region
  std::vector<std::vector<double>> forces;                       // [step] w.r.t. the nodal force in that step, 3 a node
  // Evidence.
  int a_solves = 0;
  double worst_residual = 0;
  int negative_curvature_steps = 0;
  double seconds_forward = 0, seconds_backward = 0;
};

}  // namespace proxima::adjoint
