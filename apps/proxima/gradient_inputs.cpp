#include "apps/proxima/gradient_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>

#include "runtime/solve/rollout.hpp"

namespace proxima::app {
namespace {

// The size of the smallest quadrature point's share of an element: how far a node may be moved before an element turns
// inside out, roughly.
double smallest_edge(const model::Model& model) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& region : model.regions) {
    const auto rest = mesh::rest_geometry(region.elements, model.mesh.nodes, "region '" + region.name + "'");
    if (rest.dimension == 0) continue;
    const double simplices = rest.corners == rest.dimension + 1 ? std::tgamma(rest.dimension + 1) : 1;
    for (const double measure : rest.measure)
      least = std::min(least, std::pow(simplices * measure, 1.0 / rest.dimension));
  }
  return least;
}

// The rollout at the point where the gradient is taken. Shared by the functions of all inputs.
struct Base {
  Base(Problem& the_problem, const adjoint::Loss& the_loss) : problem(the_problem), loss(the_loss) {
    const auto& scene = problem.scene;
    const auto& model = problem.model();
    steps = step_settings(scene);
    auto linear = adjoint_settings(scene);
    steps.tolerance = linear.tolerance = scene.gradcheck.tolerance;
    start = solve::initial_state(model);
    random.seed(scene.gradcheck.seed);
    edge = smallest_edge(model);
    duration = model.time_step * model.steps;
    for (const auto& region : model.regions) {
      parameters.push_back(region.parameters);
      densities.push_back(region.density);
    }
    gradient = adjoint::rollout_gradient(*problem.objective, model, steps, linear, loss, start);
  }

  double loss_of(const model::Model& model, const solve::State& from) const {
    return adjoint::total_loss(loss, solve::simulate(*problem.objective, model, steps, from));
  }

  // With other values for this one evaluation.
  double loss_with(const std::vector<std::vector<std::vector<double>>>& other_parameters,
                   const std::vector<double>& other_densities) const {
    problem.objective->set_parameters(other_parameters, other_densities);
    const double result = loss_of(problem.model(), start);
    problem.objective->set_parameters(parameters, densities);
    return result;
  }

  // One entry a coordinate, about scale(node) large, zero on held nodes.
  template <class Scale>
  std::vector<double> nodal_direction(Scale scale) {
    std::normal_distribution<double> normal;
    std::vector<double> result(start.positions.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const double entry = normal(random);
      if (!problem.objective->held(i / 3)) result[i] = scale(i / 3) * entry;
    }
    return result;
  }

  // Between a half and one, of either sign.
  double factor() {
    const double size = std::uniform_real_distribution<double>(0.5, 1)(random);
    return std::bernoulli_distribution()(random) ? size : -size;
  }

  Problem& problem;
  const adjoint::Loss& loss;
  solve::StepSettings steps;
  solve::State start;
  adjoint::Gradient gradient;
  std::vector<std::vector<std::vector<double>>> parameters;
  std::vector<double> densities;
  double edge = 0, duration = 0;
  std::mt19937_64 random;
};
using BasePointer = std::shared_ptr<Base>;
using Inputs = std::vector<GradientInput>;

void add_positions(const BasePointer& base, Inputs& inputs) {
  auto direction = base->nodal_direction([&](std::size_t) { return base->edge / 3; });
  inputs.push_back({"initial positions", base->start.positions, base->gradient.positions, std::move(direction),
                    [base](std::span<const double> x) {
                      return base->loss_of(base->problem.model(), {{x.begin(), x.end()}, base->start.velocities});
                    }});
}

void add_velocities(const BasePointer& base, Inputs& inputs) {
  auto direction = base->nodal_direction([&](std::size_t) { return base->edge / base->duration; });
  inputs.push_back({"initial velocities", base->start.velocities, base->gradient.velocities, std::move(direction),
                    [base](std::span<const double> v) {
                      return base->loss_of(base->problem.model(), {base->start.positions, {v.begin(), v.end()}});
                    }});
}

// How much a parameter may change: its own size, or less where a bound of its interval is nearer.
double room(double value, const ir::Parameter& parameter) {
  const double size = value == 0 ? 1 : std::abs(value);
  return std::min({size, value - parameter.lower, parameter.upper - value});
}

void add_parameters(const BasePointer& base, Inputs& inputs) {
  const auto& regions = base->problem.model().regions;
  for (std::size_t r = 0; r < regions.size(); ++r) {
    for (std::size_t k = 0; k < regions[r].parameters.size(); ++k) {
      const auto& parameter = regions[r].energy->parameters[k];
      if (model::varies_in_time(regions[r], k)) continue;  // given by key frames, not by a value
      std::vector<double> direction;
      for (const double value : base->parameters[r][k]) direction.push_back(room(value, parameter) * base->factor());
      inputs.push_back({fmt::format("{}[{}]", parameter.name, regions[r].name), base->parameters[r][k],
                        base->gradient.parameters[r][k], std::move(direction),
                        [base, r, k](std::span<const double> values) {
                          auto parameters = base->parameters;
                          parameters[r][k].assign(values.begin(), values.end());
                          return base->loss_with(parameters, base->densities);
                        }});
    }
  }
}

void add_densities(const BasePointer& base, Inputs& inputs) {
  const auto& regions = base->problem.model().regions;
  for (std::size_t r = 0; r < regions.size(); ++r) {
    if (regions[r].density == 0) continue;  // a further energy on tets that have their mass already
    inputs.push_back({fmt::format("density[{}]", regions[r].name),
                      {base->densities[r]},
                      {base->gradient.densities[r]},
                      {base->densities[r] * base->factor()},
                      [base, r](std::span<const double> value) {
                        auto densities = base->densities;
                        densities[r] = value[0];
                        return base->loss_with(base->parameters, densities);
                      }});
  }
}

// One force a node, the same in every step, on top of the scene's.
void add_forces(const BasePointer& base, Inputs& inputs) {
  const auto mass = base->problem.objective->mass();
  const double acceleration = base->edge / (base->duration * base->duration);
  auto direction = base->nodal_direction([&](std::size_t node) { return mass[node] * acceleration; });
  std::vector<double> gradient(direction.size(), 0.0);
  for (const auto& step : base->gradient.forces) {
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += step[i];
  }
  inputs.push_back({"nodal forces", std::vector<double>(direction.size(), 0.0), std::move(gradient),
                    std::move(direction), [base](std::span<const double> forces) {
                      auto model = base->problem.model();
                      constexpr double always = std::numeric_limits<double>::infinity();
                      for (std::size_t n = 0; n < forces.size() / 3; ++n) {
                        model.forces.push_back({{static_cast<std::int32_t>(n)},
                                                {forces[3 * n], forces[3 * n + 1], forces[3 * n + 2]},
                                                -always,
                                                always});
                      }
                      return base->loss_of(model, base->start);
                    }});
}

struct Kind {
  const char* name;  // in gradcheck.inputs
  void (*add)(const BasePointer&, Inputs&);
};
constexpr Kind kinds[] = {{"positions", add_positions},
                          {"velocities", add_velocities},
                          {"parameters", add_parameters},
                          {"density", add_densities},
                          {"forces", add_forces}};

}  // namespace

std::vector<GradientInput> gradient_inputs(Problem& problem, const adjoint::Loss& loss) {
  const auto base = std::make_shared<Base>(problem, loss);
  const auto& wanted = problem.scene.gradcheck.inputs;
  Inputs inputs;
  for (const auto& [name, add] : kinds) {
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) add(base, inputs);
  }
  return inputs;
}

}  // namespace proxima::app
