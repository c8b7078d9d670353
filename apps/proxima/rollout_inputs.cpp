#include "apps/proxima/rollout_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "compiler/support/error.hpp"
#include "runtime/optimize/quantities.hpp"
#include "runtime/solve/step/rollout.hpp"

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

using optimize::Quantity;
using optimize::Target;

}  // namespace

CheckedRollout::CheckedRollout(Problem& the_problem, const adjoint::Loss& the_loss,
                               const model::GradcheckChoices& the_choices)
    : problem(the_problem),
      loss(the_loss),
      choices(the_choices),
      steps(step_settings(the_problem.scene)),
      rest_shape(wants_rest_shape()) {
  steps.tolerance = choices.tolerance;
}

bool CheckedRollout::named(const std::string& group) const {
  return std::find(choices.inputs.begin(), choices.inputs.end(), group) != choices.inputs.end();
}

// Where it is not asked for by name, only where there is such a gradient.
bool CheckedRollout::wants_rest_shape() const {
  if (named("rest_shape")) return true;
  if (!wants("rest_shape")) return false;
  try {
    problem.objective->require_rest_gradient();
  } catch (const Error& error) {
    fmt::print("not tested: {}\n", error.what());
    return false;
  }
  return true;
}

void CheckedRollout::differentiate() {
  auto linear = adjoint_settings(problem.scene);
  linear.tolerance = choices.tolerance;
  linear.motions = wants("motion");
  linear.rest_shape = rest_shape;
  const model::Model& model = problem.model();
  gradient = adjoint::rollout_gradient(*problem.objective, model, steps, linear, loss, solve::initial_state(model));
}

double CheckedRollout::loss_of(const model::Model& model) const {
  return adjoint::total_loss(loss, solve::simulate(*problem.objective, model, steps, solve::initial_state(model)));
}

namespace {

using Inputs = std::vector<RolloutInput>;

// What all inputs of a rollout need to know.
struct Base {
  Base(const CheckedRollout& the_rollout, std::uint64_t seed)
      : rollout(the_rollout), edge(smallest_edge(model())), duration(model().time_step * model().steps), random(seed) {}

  const Problem& problem() const { return rollout.problem; }
  const model::Model& model() const { return rollout.problem.model(); }

  // One entry a coordinate, about scale(node) large, zero on held nodes.
  template <class Scale>
  std::vector<double> nodal_direction(Scale scale) {
    std::normal_distribution<double> normal;
    std::vector<double> result(model().initial_positions.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const double entry = normal(random);
      if (!problem().objective->held(i / 3)) result[i] = scale(i / 3) * entry;
    }
    return result;
  }

  // Between a half and one, of either sign.
  double factor() {
    const double size = std::uniform_real_distribution<double>(0.5, 1)(random);
    return std::bernoulli_distribution()(random) ? size : -size;
  }

  const CheckedRollout& rollout;
  double edge, duration;
  std::mt19937_64 random;
};

void add_positions(Base& base, Inputs& inputs) {
  auto direction = base.nodal_direction([&](std::size_t) { return base.edge / 3; });
  inputs.push_back(
      {"initial positions", base.model().initial_positions, base.rollout.gradient.positions, std::move(direction),
       [](std::span<const double> x, model::Model& model) { model.initial_positions.assign(x.begin(), x.end()); }});
}

void add_velocities(Base& base, Inputs& inputs) {
  auto direction = base.nodal_direction([&](std::size_t) { return base.edge / base.duration; });
  inputs.push_back(
      {"initial velocities", base.model().initial_velocities, base.rollout.gradient.velocities, std::move(direction),
       [](std::span<const double> v, model::Model& model) { model.initial_velocities.assign(v.begin(), v.end()); }});
}

// One force a node, the same in every step, on top of the scene's.
void add_forces(Base& base, Inputs& inputs) {
  const auto mass = base.problem().objective->mass();
  const double acceleration = base.edge / (base.duration * base.duration);
  auto direction = base.nodal_direction([&](std::size_t node) { return mass[node] * acceleration; });
  inputs.push_back({"nodal forces", std::vector<double>(direction.size(), 0.0), base.rollout.gradient.nodal_forces,
                    std::move(direction), [](std::span<const double> forces, model::Model& model) {
                      constexpr double always = std::numeric_limits<double>::infinity();
                      for (std::size_t n = 0; n < forces.size() / 3; ++n)
                        model.forces.push_back({{static_cast<std::int32_t>(n)},
                                                {forces[3 * n], forces[3 * n + 1], forces[3 * n + 2]},
                                                -always,
                                                always});
                    }});
}

// How far a number of a quantity is moved at most.
using Scale = double (*)(const Base& base, Target target, double value);

double own_size(const Base&, Target, double value) { return value == 0 ? 1 : std::abs(value); }
// Its own size, or less where a bound of the parameter's interval is nearer.
double room(const Base& base, Target target, double value) {
  const auto& parameter = base.model().regions[target.object].energy->parameters[target.part];
  return std::min({own_size(base, target, value), value - parameter.lower, parameter.upper - value});
}
// What moves the body by about an edge, or a share of one.
double length(const Base& base, Target, double) { return base.edge / 3; }
double rest_length(const Base& base, Target, double) { return base.edge / 10; }
double angle(const Base&, Target, double) { return 0.1; }
double rate(const Base& base, Target, double value) { return std::max(std::abs(value), 1 / base.duration); }
double speed(const Base& base, Target, double value) { return std::max(std::abs(value), base.edge / base.duration); }
double acceleration(const Base& base, Target, double value) {
  return std::max(std::abs(value), base.edge / (base.duration * base.duration));
}

// The quantities that are no nodal field, with what gradcheck.inputs calls them.
struct Group {
  Quantity quantity;
  const char* name;
  Scale scale;
};
constexpr Group groups[] = {
    {Quantity::parameter, "parameters", room},
    {Quantity::signal, "parameters", room},
    {Quantity::density, "density", own_size},
    {Quantity::mass_damping, "damping", rate},
    {Quantity::stiffness_damping, "damping", own_size},
    {Quantity::direction, "directions", own_size},
    {Quantity::gravity, "gravity", acceleration},
    {Quantity::force, "loads", own_size},
    {Quantity::force_factor, "loads", own_size},
    {Quantity::pressure, "loads", own_size},
    {Quantity::fluid_density, "loads", own_size},
    {Quantity::flow, "loads", speed},
    {Quantity::drag, "loads", own_size},
    {Quantity::thrust, "loads", own_size},
    {Quantity::translation, "motion", length},
    {Quantity::rotation, "motion", angle},
    {Quantity::controller, "controllers", own_size},
    {Quantity::friction, "contact", own_size},
    {Quantity::friction_across, "contact", own_size},
    {Quantity::friction_crossed, "contact", own_size},
    {Quantity::restitution, "contact", own_size},
    {Quantity::penalty_stiffness, "contact", own_size},
    {Quantity::slip_speed, "contact", own_size},
    {Quantity::tie, "ties", length},
    {Quantity::obstacle_translation, "obstacles", length},
    {Quantity::obstacle_rotation, "obstacles", angle},
    {Quantity::obstacle_parameter, "obstacles", own_size},
    {Quantity::rest_shape, "rest_shape", rest_length},
};

std::string label(const model::Model& model, const optimize::QuantityRow& row, Quantity quantity, Target target) {
  if (row.object.empty()) return std::string(row.name);
  if (quantity == Quantity::controller) {
    const auto& controller = model.controllers[target.object];
    return fmt::format("{}[{}]", controller.function->parameters[target.part].name, controller.name);
  }
  if (row.object == "obstacle") {
    const auto& obstacle = model.obstacles[target.object];
    if (quantity != Quantity::obstacle_parameter) return fmt::format("{}[{}]", row.name, obstacle.name);
    const auto& shape = std::get<model::AnalyticDistance>(obstacle.shape);
    return fmt::format("{}[{}]", shape.function->parameters[target.part].name, obstacle.name);
  }
  if (row.object != "region") return fmt::format("{}[{}]", row.name, target.object);
  const auto& region = model.regions[target.object];
  if (quantity == Quantity::parameter)
    return fmt::format("{}[{}]", region.energy->parameters[target.part].name, region.name);
  if (quantity == Quantity::signal)
    return fmt::format("keys of {}[{}]", region.energy->parameters[target.part].name, region.name);
  return fmt::format("{}[{}]", row.name, region.name);
}

// All numbers of one object at once.
void add_target(Base& base, const Group& group, Target target, Inputs& inputs) {
  const Quantity quantity = group.quantity;
  const auto& row = optimize::quantity_row(quantity);
  const auto& model = base.model();
  auto point = row.get(model, target);
  std::vector<double> direction;
  direction.reserve(point.size());
  for (const double value : point) direction.push_back(group.scale(base, target, value) * base.factor());
  inputs.push_back({label(model, row, quantity, target), std::move(point),
                    row.gradient(model, base.rollout.gradient, target), std::move(direction),
                    [quantity, target](std::span<const double> values, model::Model& changed) {
                      optimize::quantity_row(quantity).set(changed, target, values);
                    },
                    true});
}

}  // namespace

std::vector<RolloutInput> rollout_inputs(const CheckedRollout& rollout, std::uint64_t seed) {
  Base base(rollout, seed);
  Inputs inputs;
  if (rollout.wants("positions")) add_positions(base, inputs);
  if (rollout.wants("velocities")) add_velocities(base, inputs);
  if (rollout.wants("forces")) add_forces(base, inputs);
  for (const auto& group : groups) {
    if (group.quantity == Quantity::rest_shape ? !rollout.rest_shape : !rollout.wants(group.name)) continue;
    for (const auto& target : optimize::targets_of(base.model(), group.quantity))
      add_target(base, group, target, inputs);
  }
  return inputs;
}

}  // namespace proxima::app
