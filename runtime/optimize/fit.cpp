#include "runtime/optimize/fit.hpp"

#include <algorithm>

namespace proxima::optimize {

FitResult fit(solve::Objective& objective, const model::Model& model, const Design& design, const adjoint::Loss& loss,
              const FitSettings& settings, const FitCallback& each) {
  FitResult result;
  const solve::State start = solve::initial_state(model);
  double seconds_forward = 0, seconds_backward = 0;  // of the evaluation at hand
  const auto set = [&](std::span<const double> u) {
    const Values values = design.values(u);
    objective.set_parameters(values.parameters, values.densities);
  };
  const auto evaluate = [&](std::span<const double> u) {
    seconds_forward = seconds_backward = 0;
    set(u);
    const auto gradient = adjoint::rollout_gradient(objective, model, settings.step, settings.adjoint, loss, start);
    seconds_forward = gradient.seconds_forward;
    seconds_backward = gradient.seconds_backward;
    result.seconds_forward += seconds_forward;
    result.seconds_backward += seconds_backward;
    result.a_solves_forward += gradient.a_solves_forward;
    result.a_solves_backward += gradient.a_solves;
    result.worst_step_residual = std::max(result.worst_step_residual, gradient.worst_step_residual);
    result.worst_adjoint_residual = std::max(result.worst_adjoint_residual, gradient.worst_residual);
    result.negative_curvature_steps += gradient.negative_curvature_steps;
    return Evaluation{gradient.loss, design.chain(u, gradient)};
  };
  const auto report = [&](const Progress& progress) {
    return !each || each({progress, design.physical(progress.point), seconds_forward, seconds_backward});
  };
  result.minimum = minimise(evaluate, design.start(), design.lower(), design.upper(), settings.optimiser, report);
  result.values = design.physical(result.minimum.point);
  set(result.minimum.point);
  return result;
}

}  // namespace proxima::optimize
