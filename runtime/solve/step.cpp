#include "runtime/solve/step.hpp"

#include <chrono>

#include "runtime/solve/controls.hpp"
#include "runtime/solve/implicit_step.hpp"

namespace proxima::solve {
namespace {

// A part of a step, 1/parts of it.
struct Interval {
  double end = 0, length = 0;  // s
  int parts = 1;
};

// One step, in sub-steps where it has to be.
class Advance {
 public:
  // Appends each implicit step to `trace` where there is one.
  Advance(const Objective& objective, const model::Model& model, int step, const StepSettings& settings,
          StepReport& report, std::vector<SubStep>* trace = nullptr)
      : objective_(objective), model_(model), step_(step), settings_(settings), report_(report), trace_(trace) {}

  // What controllers set from `state` holds for all sub-steps.
  void run(State& state) {
    driven_ = objective_.controls().values(step_, state);
    const Interval whole{(step_ + 1) * model_.time_step, model_.time_step};
    try {
      take(whole, step_start(model_, state), state);
    } catch (const Unsolved&) {
      halve(whole, state);
    }
  }

  const std::vector<double>& driven() const { return driven_; }

 private:
  // To be called where `interval` could not be solved, while that exception is handled. Halving adds no rounding.
  void halve(const Interval& interval, State& state) {
    const int parts = 2 * interval.parts;
    if (parts > settings_.max_substeps) throw;
    const auto one_step = model::integrator_row(model_.integrator).one_step;
    const double half = interval.length / 2;
    for (const Interval& part : {Interval{interval.end - half, half, parts}, Interval{interval.end, half, parts}}) {
      try {
        take(part, step_start(one_step, half, state), state);
      } catch (const Unsolved&) {
        halve(part, state);
      }
    }
  }

  void take(const Interval& interval, const StepStart& start, State& state) {
    objective_.enter_step({interval.end, start.step, start.positions, state.history, driven_});
    const ImplicitStep step{name_of(interval), interval.end, interval.length, start};
    std::vector<double> x = solve_implicit(objective_, model_, settings_, step, state, report_);
    if (trace_ != nullptr) trace_->push_back({start.row->integrator, interval.end, interval.length, state, x});
    state.history = objective_.next_history(x);
    for (std::size_t i = 0; i < x.size(); ++i)
      state.velocities[i] = start.row->inertia ? (x[i] - start.positions[i]) / start.step : 0;
    state.positions = std::move(x);
    ++report_.substeps;
  }

  std::string name_of(const Interval& interval) const {
    auto whole = fmt::format("step {} (to t = {:.6g} s)", step_ + 1, (step_ + 1) * model_.time_step);
    if (interval.parts == 1) return whole;
    return fmt::format("{}, its sub-step of {:.4g} s to t = {:.6g} s", whole, interval.length, interval.end);
  }

  const Objective& objective_;
  const model::Model& model_;
  int step_;
  const StepSettings& settings_;
  StepReport& report_;
  std::vector<SubStep>* trace_;
  std::vector<double> driven_;
};

void add_motion(const Objective& objective, const State& state, StepReport& report) {
  const auto mass = objective.mass();
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
}

}  // namespace

StepReport advance(const Objective& objective, const model::Model& model, int step, const StepSettings& settings,
                   State& state) {
  const auto begin = std::chrono::steady_clock::now();
  StepReport report;
  State next = state;
  Advance whole(objective, model, step, settings, report);
  whole.run(next);
  const auto& row = model::integrator_row(model.integrator);
  if (row.before != 0) {
    next.previous_positions = std::move(state.positions);
    next.previous_velocities = std::move(state.velocities);
  }
  next.substeps = report.substeps;
  state = std::move(next);
  add_motion(objective, state, report);
  // What is stored now is a function of what is carried on from here.
  objective.enter_step(
      {(step + 1) * model.time_step, row.share * model.time_step, state.positions, state.history, whole.driven()});
  report.elastic_energy = objective.stored_energy(state.positions);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

std::vector<SubStep> retrace(const Objective& objective, const model::Model& model, int step,
                             const StepSettings& settings, const State& before) {
  StepReport report;
  std::vector<SubStep> trace;
  State state = before;
  Advance(objective, model, step, settings, report, &trace).run(state);
  return trace;
}

}  // namespace proxima::solve
