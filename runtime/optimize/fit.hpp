// Fitting design variables so that a rollout's loss is as small as it gets: forward, adjoint, a minimiser (one run of
// it here; search.hpp has several, over several scenes).
#pragma once

#include "runtime/adjoint/adjoint.hpp"
#include "runtime/optimize/design.hpp"
#include "runtime/optimize/search.hpp"
#include "runtime/solve/step/worlds.hpp"

namespace proxima::optimize {

struct FitSettings {
  solve::StepSettings step;
  adjoint::AdjointSettings adjoint;
  MinimiseSettings optimiser;
};

Cost cost_of(const adjoint::Gradient& gradient);

// Loss and gradient of the rollout at u: a part of a search. `objective` is made for `model`, and is left with the
// values at u.
PartValue rollout_value(solve::Objective& objective, const model::Model& model, const Design& design,
                        const adjoint::Loss& loss, const FitSettings& settings, std::span<const double> u);

// One of several worlds of one mesh (solve/worlds.hpp), as above.
struct FitWorld {
  std::string name;  // for messages
  solve::Objective* objective;
  const model::Model* model;
  const Design* design;
  const adjoint::Loss* loss;
  FitSettings settings;
};

// rollout_value of each at its u, all rollouts and then their sweeps backward side by side: worlds whose A is that of
// the first have the bits that they have alone. What was shared is added to `work`, and seconds are each world's share
// of them. Throws what solve::run_worlds throws: an Error that names the world.
std::vector<PartValue> rollout_values(std::span<const FitWorld> worlds, std::span<const std::vector<double>> u,
                                      solve::SharedWork& work);

struct FitProgress {
  const Progress& optimiser;
  std::vector<std::vector<double>> values;  // of each variable, in its own unit
  Cost cost;                                // of this evaluation
};
using FitCallback = std::function<bool(const FitProgress&)>;  // false stops

struct FitResult {
  Minimum minimum;
  std::vector<std::vector<double>> values;  // of each variable at the best point, in its own unit
  Cost cost;                                // in all
};

// Starts from the design's start. `objective` is made for `model`, and is left with the values of the best point. A
// trial whose simulation fails makes the step shorter (see minimiser.hpp); when it fails at the start, its Error is
// thrown.
FitResult fit(solve::Objective& objective, const model::Model& model, const Design& design, const adjoint::Loss& loss,
              const FitSettings& settings, const FitCallback& each = {});

}  // namespace proxima::optimize
