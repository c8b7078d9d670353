// One step of a model, in sub-steps where it has to be, wherever the body lives. A place (HostPlace, CudaPlace) knows
// how one implicit step is taken there.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "runtime/solve/step/implicit_step.hpp"

namespace proxima::solve {

template <class Place>
class Advance {
 public:
  using State = typename Place::State;

  // Appends each implicit step to `trace` where there is one. Keeps references.
  Advance(const Place& place, int step, const StepSettings& settings, StepReport& report,
          std::vector<SubStep>* trace = nullptr)
      : place_(place), step_(step), settings_(settings), report_(report), trace_(trace) {}

  // What controllers set from `state` holds for all sub-steps.
  void run(State& state) {
    driven_ = place_.driven(step_, state);
    const double h = place_.model().time_step;
    const Interval whole{(step_ + 1) * h, h};
    try {
      take(whole, place_.start(state), state);
    } catch (const Unsolved&) {
      halve(whole, state);
    }
  }

  const std::vector<double>& driven() const { return driven_; }

 private:
  // A part of a step, 1/parts of it.
  struct Interval {
    double end = 0, length = 0;  // s
    int parts = 1;
  };

  // To be called where `interval` could not be solved, while that exception is handled. Halving adds no rounding.
  void halve(const Interval& interval, State& state) {
    const int parts = 2 * interval.parts;
    if (parts > settings_.max_substeps) throw;
    const auto one_step = model::integrator_row(place_.model().integrator).one_step;
    const double half = interval.length / 2;
    for (const Interval& part : {Interval{interval.end - half, half, parts}, Interval{interval.end, half, parts}}) {
      try {
        take(part, place_.start(one_step, half, state), state);
      } catch (const Unsolved&) {
        halve(part, state);
      }
    }
  }

  void take(const Interval& interval, const typename Place::Start& start, State& state) {
    place_.enter(interval.end, start, state, driven_);
    const ImplicitStep step{name_of(interval), interval.end, interval.length};
    auto x = place_.solve(settings_, step, start, state, driven_, report_);
    if (trace_ != nullptr) {
      trace_->push_back(place_.sub_step(step, start, state, x));
      trace_->back().touching = report_.contact.touching;
    }
    place_.move(start, std::move(x), state);
    ++report_.substeps;
  }

  std::string name_of(const Interval& interval) const {
    auto whole = fmt::format("step {} (to t = {:.6g} s)", step_ + 1, (step_ + 1) * place_.model().time_step);
    if (interval.parts == 1) return whole;
    return fmt::format("{}, its sub-step of {:.4g} s to t = {:.6g} s", whole, interval.length, interval.end);
  }

  const Place& place_;
  int step_;
  const StepSettings& settings_;
  StepReport& report_;
  std::vector<SubStep>* trace_;
  std::vector<double> driven_;
};

// As solve::advance.
template <class Place>
StepReport advance_at(const Place& place, int step, const StepSettings& settings, typename Place::State& state) {
  const auto begin = std::chrono::steady_clock::now();
  StepReport report;
  auto next = place.copied(state);
  Advance<Place> whole(place, step, settings, report);
  whole.run(next);
  if (model::integrator_row(place.model().integrator).before != 0) {
    next.previous_positions = std::move(state.positions);
    next.previous_velocities = std::move(state.velocities);
  }
  next.substeps = report.substeps;
  next.touching = report.contact.touching;
  state = std::move(next);
  place.describe(step, state, whole.driven(), report);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

template <class Place>
std::vector<SubStep> retrace_at(const Place& place, int step, const StepSettings& settings,
                                typename Place::State state) {
  StepReport report;
  std::vector<SubStep> trace;
  Advance<Place>(place, step, settings, report, &trace).run(state);
  return trace;
}

}  // namespace proxima::solve
