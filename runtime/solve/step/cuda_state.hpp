// The state of a body on a GPU.
#pragma once

#include <optional>

#include "runtime/solve/objective/cuda_objective.hpp"
#include "runtime/solve/step/step_start.hpp"

namespace proxima::solve {

struct CudaState {
  device::CudaVector positions, velocities;
  CudaHistory history;
  std::optional<device::CudaVector> previous_positions{}, previous_velocities{};
  int substeps = 1;
  std::vector<model::ContactKey> touching{};
};

CudaState uploaded(const CudaObjective& objective, const State& state);
State downloaded(const CudaObjective& objective, const CudaState& state);
CudaState copied(const CudaState& state);

// As of StepStart.
using CudaStepStart = BasicStepStart<device::CudaVector>;
CudaStepStart step_start(const model::Model& model, const CudaState& state);
CudaStepStart step_start(model::Integrator integrator, double length, const CudaState& state);

}  // namespace proxima::solve
