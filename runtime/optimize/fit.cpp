#include "runtime/optimize/fit.hpp"

namespace proxima::optimize {
namespace {

void set(solve::Objective& objective, model::Model& model, const Design& design, std::span<const double> u) {
  design.apply(u, model);
  objective.set_values(model);
}

}  // namespace

Cost cost_of(const adjoint::Gradient& gradient) {
  const auto first = [](const std::vector<int>& steps) { return steps.empty() ? 0 : steps.front(); };
  const auto count = [](const std::vector<int>& steps) { return static_cast<std::int64_t>(steps.size()); };
  const auto errors = gradient.errors.value_or(adjoint::ErrorEvidence{});
  return {gradient.seconds_forward,
          gradient.seconds_backward,
          gradient.a_solves_forward,
          gradient.a_solves,
          gradient.worst_step_residual,
          gradient.worst_residual,
          count(gradient.negative_curvature),
          first(gradient.negative_curvature),
          count(gradient.filtered),
          first(gradient.filtered),
          gradient.worst_exact_residual,
          errors.loss,
          errors.adjoint.relative,
          errors.forward.relative};
}

PartValue rollout_value(solve::Objective& objective, model::Model& model, const Design& design,
                        const adjoint::Loss& loss, const FitSettings& settings, std::span<const double> u) {
  set(objective, model, design, u);
  const auto start = solve::initial_state(model);
  const auto gradient =
      adjoint::rollout_gradient(objective, model, settings.step, design.needs(settings.adjoint), loss, start);
  return {{gradient.loss, design.chain(u, model, gradient)}, cost_of(gradient)};
}

FitResult fit(solve::Objective& objective, const model::Model& model, const Design& design, const adjoint::Loss& loss,
              const FitSettings& settings, const FitCallback& each) {
  FitResult result;
  model::Model varied = model;
  Cost cost;  // of the evaluation at hand
  const auto evaluate = [&](std::span<const double> u) {
    cost = {};
    const auto value = rollout_value(objective, varied, design, loss, settings, u);
    cost = value.cost;
    result.cost += cost;
    return value.found;
  };
  const auto report = [&](const Progress& progress) {
    return !each || each({progress, design.physical(progress.point), cost});
  };
  result.minimum = minimise(evaluate, design.start(), design.lower(), design.upper(), settings.optimiser, report);
  result.values = design.physical(result.minimum.point);
  set(objective, varied, design, result.minimum.point);
  return result;
}

}  // namespace proxima::optimize
