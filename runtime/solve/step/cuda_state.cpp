#include "runtime/solve/step/cuda_state.hpp"

#include "runtime/solve/objective/copied.hpp"

namespace proxima::solve {
namespace {

std::optional<device::CudaVector> copied(const std::optional<device::CudaVector>& from) {
  if (!from) return std::nullopt;
  return solve::copied(*from);
}

std::vector<double> values_of(const device::CudaVector& vector) {
  std::vector<double> result(vector.size());
  vector.read(result);
  return result;
}

device::CudaVector combined(const model::IntegratorRow& row, const device::CudaVector& now,
                            const std::optional<device::CudaVector>& before) {
  device::CudaVector result = device::like(now);
  device::add_scaled(result, row.now, now);
  if (row.before != 0) device::add_scaled(result, row.before, before.value());
  return result;
}

}  // namespace

CudaState uploaded(const CudaObjective& objective, const State& state) {
  CudaState result{objective.uploaded(state.positions), objective.uploaded(state.velocities),
                   objective.uploaded_history(state.history)};
  if (!state.previous_positions.empty()) {
    result.previous_positions = objective.uploaded(state.previous_positions);
    result.previous_velocities = objective.uploaded(state.previous_velocities);
  }
  result.substeps = state.substeps;
  result.touching = state.touching;
  return result;
}

State downloaded(const CudaObjective& objective, const CudaState& state) {
  State result{values_of(state.positions), values_of(state.velocities), objective.values_of(state.history)};
  if (state.previous_positions) {
    result.previous_positions = values_of(*state.previous_positions);
    result.previous_velocities = values_of(*state.previous_velocities);
  }
  result.substeps = state.substeps;
  result.touching = state.touching;
  return result;
}

CudaState copied(const CudaState& state) {
  CudaHistory history;
  for (const auto& of_region : state.history) {
    auto& own = history.emplace_back();
    for (const auto& one : of_region) own.push_back(copied(one));
  }
  return {
      copied(state.positions),           copied(state.velocities), std::move(history), copied(state.previous_positions),
      copied(state.previous_velocities), state.substeps,           state.touching};
}

CudaStepStart step_start(const model::Model& model, const CudaState& state) {
  return step_start(row_of_step(model, state.previous_positions.has_value()).integrator, model.time_step, state);
}

CudaStepStart step_start(model::Integrator integrator, double length, const CudaState& state) {
  const auto& row = model::integrator_row(integrator);
  return {&row, row.share * length, combined(row, state.positions, state.previous_positions),
          combined(row, state.velocities, state.previous_velocities)};
}

}  // namespace proxima::solve
