#include "runtime/solve/step/host_place.hpp"

#include "runtime/solve/objective/controls.hpp"

namespace proxima::solve {

std::vector<double> HostPlace::driven(int step, const State& state) const {
  return objective_.controls().values(step, state);
}

void HostPlace::enter(double time, const Start& start, const State& state, std::span<const double> driven) const {
  objective_.enter_step({time, start.step, start.positions, state.history, driven});
}

std::vector<double> HostPlace::solve(const StepSettings& settings, const ImplicitStep& step, const Start& start,
                                     const State& state, std::span<const double>, StepReport& report) const {
  return solve_implicit(objective_, model_, settings, step, start, state, report);
}

SubStep HostPlace::sub_step(const ImplicitStep& step, const Start& start, const State& state,
                            const std::vector<double>& x) const {
  return {start.row->integrator, step.time, step.length, state, x};
}

void HostPlace::move(const Start& start, std::vector<double> x, State& state) const {
  state.history = objective_.next_history(x);
  for (std::size_t i = 0; i < x.size(); ++i)
    state.velocities[i] = start.row->inertia ? (x[i] - start.positions[i]) / start.step : 0;
  state.positions = std::move(x);
}

void HostPlace::describe(int step, const State& state, std::span<const double> driven, StepReport& report) const {
  const auto mass = objective_.mass();
  for (std::size_t node = 0; node < mass.size(); ++node) {
    const double* x = &state.positions[3 * node];
    const double* v = &state.velocities[3 * node];
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      report.kinetic_energy += mass[node] * v[i] * v[i] / 2;
      report.momentum[i] += mass[node] * v[i];
      report.angular_momentum[i] += mass[node] * (x[j] * v[k] - x[k] * v[j]);
    }
  }
  const double share = model::integrator_row(model_.integrator).share;
  objective_.enter_step(
      {(step + 1) * model_.time_step, share * model_.time_step, state.positions, state.history, driven});
  report.elastic_energy = objective_.stored_energy(state.positions);
}

}  // namespace proxima::solve
