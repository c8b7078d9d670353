#include "runtime/solve/step/cuda_place.hpp"

#include "runtime/solve/objective/contacts.hpp"
#include "runtime/solve/objective/controls.hpp"
#include "runtime/solve/step/step_solution.hpp"
#include "runtime/solve/step/touching_solution.hpp"

namespace proxima::solve {

std::vector<double> CudaPlace::driven(int step, const State& state) const {
  const Controls& controls = objective().host().controls();
  if (controls.drives().empty()) return {};
  CudaWatchedNodes& nodes = conditions_.observed();
  const auto list = [](std::span<const double> values) { return std::vector<double>(values.begin(), values.end()); };
  solve::State seen;
  seen.positions = list(nodes.seen(state.positions));
  seen.velocities = list(nodes.seen(state.velocities));
  return controls.values(step, seen);
}

void CudaPlace::enter(double time, const Start& start, const State& state, std::span<const double> driven) const {
  conditions_.objective().enter_step(time, start.step, start.positions, state.history, driven);
}

device::CudaVector CudaPlace::solve(const StepSettings& settings, const ImplicitStep& step, const Start& start,
                                    const State& state, std::span<const double> driven, StepReport& report) const {
  const CudaGiven given = this->given(step, start, state, driven);
  if (objective().host().contacts().none()) return StepSolution<CudaGiven>(given, settings, report).find();
  return TouchingSolution<CudaGiven>(given, settings, report).find();
}

SubStep CudaPlace::sub_step(const ImplicitStep& step, const Start& start, const State& state,
                            const device::CudaVector& x) const {
  std::vector<double> after(x.size());
  x.read(after);
  return {start.row->integrator, step.time, step.length, downloaded(objective(), state), std::move(after)};
}

void CudaPlace::move(const Start& start, device::CudaVector x, State& state) const {
  CudaHistory history = objective().zero_history();
  objective().update_history(x, history);
  state.history = std::move(history);
  conditions_.set_velocities(start, x, state.velocities);
  state.positions = std::move(x);
}

void CudaPlace::describe(int step, const State& state, std::span<const double> driven, StepReport& report) const {
  conditions_.add_motion(state, report);
  const double h = model().time_step, share = model::integrator_row(model().integrator).share;
  conditions_.objective().enter_step((step + 1) * h, share * h, state.positions, state.history, driven);
  report.elastic_energy = objective().stored_energy(state.positions);
}

}  // namespace proxima::solve
