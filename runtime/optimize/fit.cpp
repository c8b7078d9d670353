#include "runtime/optimize/fit.hpp"

namespace proxima::optimize {

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
          count(gradient.kinks),
          first(gradient.kinks),
          gradient.worst_exact_residual,
          errors.loss,
          errors.adjoint.relative,
          errors.forward.relative};
}

namespace {

// From the model as it was given: what moves as a whole would gather rounding from one evaluation to the next.
model::Model put(solve::Objective& objective, const model::Model& model, const Design& design,
                 std::span<const double> u) {
  model::Model varied = model;
  design.apply(u, varied);
  objective.set_values(varied);
  return varied;
}

PartValue value_of(const solve::Objective& objective, const model::Model& varied, const Design& design,
                   const adjoint::Loss& loss, const FitSettings& settings, std::span<const double> u) {
  const auto start = solve::initial_state(varied);
  const auto gradient =
      adjoint::rollout_gradient(objective, varied, settings.step, design.needs(settings.adjoint), loss, start);
  return {{gradient.loss, design.chain(u, varied, gradient)}, cost_of(gradient)};
}

}  // namespace

PartValue rollout_value(solve::Objective& objective, const model::Model& model, const Design& design,
                        const adjoint::Loss& loss, const FitSettings& settings, std::span<const double> u) {
  return value_of(objective, put(objective, model, design, u), design, loss, settings, u);
}

std::vector<PartValue> rollout_values(std::span<const FitWorld> worlds, std::span<const std::vector<double>> u,
                                      solve::SharedWork& work) {
  std::vector<model::Model> varied;
  varied.reserve(worlds.size());
  for (std::size_t k = 0; k < worlds.size(); ++k)
    varied.push_back(put(*worlds[k].objective, *worlds[k].model, *worlds[k].design, u[k]));
  std::vector<PartValue> values(worlds.size());
  std::vector<solve::World> all;
  all.reserve(worlds.size());
  for (std::size_t k = 0; k < worlds.size(); ++k)
    all.push_back({worlds[k].name, worlds[k].objective, [&, k] {
                     const FitWorld& own = worlds[k];
                     values[k] = value_of(*own.objective, varied[k], *own.design, *own.loss, own.settings, u[k]);
                   }});
  work += solve::run_worlds(all);
  // All take the same time, most of which they wait for each other.
  for (PartValue& value : values) {
    value.cost.seconds_forward /= static_cast<double>(worlds.size());
    value.cost.seconds_backward /= static_cast<double>(worlds.size());
  }
  return values;
}

FitResult fit(solve::Objective& objective, const model::Model& model, const Design& design, const adjoint::Loss& loss,
              const FitSettings& settings, const FitCallback& each) {
  FitResult result;
  Cost cost;  // of the evaluation at hand
  const auto evaluate = [&](std::span<const double> u) {
    cost = {};
    const auto value = rollout_value(objective, model, design, loss, settings, u);
    cost = value.cost;
    result.cost += cost;
    return value.found;
  };
  const auto report = [&](const Progress& progress) {
    return !each || each({progress, design.physical(progress.point), cost});
  };
  result.minimum = minimise(evaluate, design.start(), design.lower(), design.upper(), settings.optimiser, report);
  result.values = design.physical(result.minimum.point);
  model::Model best = model;
  design.apply(result.minimum.point, best);
  objective.set_values(best);
  return result;
}

}  // namespace proxima::optimize
