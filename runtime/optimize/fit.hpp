// Fitting design variables so that a rollout's loss is as small as it gets: forward, adjoint, a minimiser.
#pragma once

#include "runtime/adjoint/adjoint.hpp"
#include "runtime/optimize/design.hpp"
#include "runtime/optimize/minimiser.hpp"

namespace proxima::optimize {

struct FitSettings {
  solve::StepSettings step;
  adjoint::AdjointSettings adjoint;
  MinimiseSettings optimiser;
};

struct FitProgress {
  const Progress& optimiser;
  std::vector<std::vector<double>> values;           // of each variable, in its own unit
  double seconds_forward = 0, seconds_backward = 0;  // of this evaluation
};
using FitCallback = std::function<bool(const FitProgress&)>;  // false stops

struct FitResult {
  Minimum minimum;
  std::vector<std::vector<double>> values;           // of each variable at the best point, in its own unit
  double seconds_forward = 0, seconds_backward = 0;  // in all
  int a_solves_forward = 0, a_solves_backward = 0;
  double worst_step_residual = 0;
  double worst_adjoint_residual = 0;
  int negative_curvature_steps = 0;
};

// Starts from the design's start. `objective` is left with the values of the best point. A trial whose simulation fails
// makes the step shorter (see minimiser.hpp); when it fails at the start, its Error is thrown.
FitResult fit(solve::Objective& objective, const model::Model& model, const Design& design, const adjoint::Loss& loss,
              const FitSettings& settings, const FitCallback& each = {});

}  // namespace proxima::optimize
