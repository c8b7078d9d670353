#include "runtime/solve/step/step_start.hpp"

#include <span>

namespace proxima::solve {
namespace {

std::vector<double> combined(const model::IntegratorRow& row, std::span<const double> now,
                             std::span<const double> before) {
  std::vector<double> result(now.begin(), now.end());
  if (row.before != 0)
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = row.now * now[i] + row.before * before[i];
  return result;
}

}  // namespace

const model::IntegratorRow& row_of_step(const model::Model& model, bool two_states) {
  const auto& row = model::integrator_row(model.integrator);
  return row.before != 0 && !two_states ? model::integrator_row(row.one_step) : row;
}

StepStart step_start(const model::Model& model, const State& state) {
  return step_start(row_of_step(model, !state.previous_positions.empty()).integrator, model.time_step, state);
}

StepStart step_start(model::Integrator integrator, double length, const State& state) {
  const auto& row = model::integrator_row(integrator);
  return {&row, row.share * length, combined(row, state.positions, state.previous_positions),
          combined(row, state.velocities, state.previous_velocities)};
}

}  // namespace proxima::solve
