#include "runtime/solve/step/step_given.hpp"

namespace proxima::solve {

StepGiven::StepGiven(const Objective& objective, const model::Model& model, const ImplicitStep& step,
                     const StepStart& start, const State& state)
    : objective_(objective),
      step_(step),
      start_(start),
      state_(state),
      targets_(model::dirichlet_positions(model, step.time)),
      potential_(objective, start.positions, given_force(objective, model, step.time, start, state)) {}

void StepGiven::place_held(double fraction, std::span<double> x) const {
  for (const auto& [node, target] : targets_)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t i = 3 * static_cast<std::size_t>(node) + axis;
      const double from = state_.positions[i];
      x[i] = fraction == 1 ? target[axis] : from + fraction * (target[axis] - from);
    }
}

void StepGiven::set_free_flight(std::span<double> x) const {
  const auto inertia = objective_.inertia();
  const auto force = potential_.force();
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = start_.positions[i] + (inertia[i / 3] > 0 ? force[i] / inertia[i / 3] : 0);
}

}  // namespace proxima::solve
