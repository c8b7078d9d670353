#include "runtime/solve/step_start.hpp"

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

StepStart step_start(const model::Model& model, const State& state) {
  const auto& row = model::integrator_row(model.integrator);
  const bool alone = row.before != 0 && state.previous_positions.empty();
  return step_start(alone ? row.one_step : row.integrator, model.time_step, state);
}

StepStart step_start(model::Integrator integrator, double length, const State& state) {
  const auto& row = model::integrator_row(integrator);
  return {&row, row.share * length, combined(row, state.positions, state.previous_positions),
          combined(row, state.velocities, state.previous_velocities)};
}

}  // namespace proxima::solve
