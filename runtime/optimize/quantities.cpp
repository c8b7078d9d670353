#include "runtime/optimize/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "compiler/support/error.hpp"
#include "compiler/support/nearest.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::optimize {
namespace {

using adjoint::Gradient;
using model::Model;
using model::Vector3;
using Numbers = std::vector<double>;
using Values = std::span<const double>;

Numbers numbers(const Vector3& v) { return {v.begin(), v.end()}; }
void put(Values from, Vector3& to) { std::copy_n(from.begin(), 3, to.begin()); }

Numbers numbers(const std::vector<Vector3>& vectors) {
  Numbers result;
  for (const auto& v : vectors) result.insert(result.end(), v.begin(), v.end());
  return result;
}

std::size_t one(const Model&) { return 1; }
std::size_t regions(const Model& model) { return model.regions.size(); }
std::size_t forces(const Model& model) { return model.forces.size(); }
std::size_t loads(const Model& model) { return model.surface_loads.size(); }
std::size_t held(const Model& model) { return model.dirichlet.size(); }
std::size_t controllers(const Model& model) { return model.controllers.size(); }
std::size_t pairs(const Model& model) { return model.contacts.size(); }
std::size_t ties(const Model& model) { return model.ties.size(); }
std::size_t obstacles(const Model& model) { return model.obstacles.size(); }
std::size_t bodies(const Model& model) { return std::max<std::size_t>(1, model.bodies.size()); }

std::string nothing(const Model&, Target) { return ""; }
std::string given_by_keys(const Model& model, Target target) {
  const auto& region = model.regions[target.object];
  if (model::is_driven(region, target.part)) return fmt::format("in region '{}' a controller sets it", region.name);
  if (!model::varies_in_time(region, target.part)) return "";
  return fmt::format("in region '{}' it is given by key frames, whose values are another quantity, 'signal'",
                     region.name);
}
std::string no_keys(const Model& model, Target target) {
  const auto& region = model.regions[target.object];
  if (model::varies_in_time(region, target.part) && !model::is_driven(region, target.part)) return "";
  return fmt::format("in region '{}' it is no signal but one value, another quantity, 'parameter'", region.name);
}
std::string no_mass(const Model& model, Target target) {
  const auto& region = model.regions[target.object];
  if (region.density > 0) return "";
  return fmt::format("the energy '{}' of region '{}' brings no mass of its own", region.energy->name, region.name);
}
std::string no_stiffness_damping(const Model& model, Target target) {
  const auto& region = model.regions[target.object];
  if (!region.damping.stiffness.empty()) return "";
  return fmt::format("region '{}' has no damping by stiffness; it needs a value above 0 to start from", region.name);
}
std::string no_directions(const Model& model, Target target) {
  const auto& region = model.regions[target.object];
  if (!region.directions.empty()) return "";
  return fmt::format("region '{}' leaves its directions to their defaults; they have to be given", region.name);
}
std::string no_factor(const Model& model, Target target) {
  if (!model.forces[target.object].factor.empty()) return "";
  return fmt::format("force {} has no factor in time", target.object);
}
std::string no_motion(const Model& model, Target target) {
  if (!model.dirichlet[target.object].motion.empty()) return "";
  return fmt::format("the held nodes of dirichlet[{}] have no key frames", target.object);
}
// At 0 a contact has another law, whose derivative from above is not looked for; and static friction has none at all.
template <auto Coefficient>
std::string no_coefficient(const Model& model, Target target) {
  const auto& pair = model.contacts[target.object];
  if (pair.*Coefficient > 0 && std::isfinite(pair.*Coefficient)) return "";
  const auto names = model::pair_names(model, pair);
  if (pair.*Coefficient > 0)
    return fmt::format("it is static between '{}' and '{}', which is no number that could vary", names[0], names[1]);
  return fmt::format("it is 0 between '{}' and '{}'; it needs a value above 0 to start from", names[0], names[1]);
}
std::string no_penalty(const Model& model, Target target) {
  const auto& pair = model.contacts[target.object];
  if (pair.penalty) return "";
  const auto names = model::pair_names(model, pair);
  return fmt::format("contact between '{}' and '{}' is not by a penalty", names[0], names[1]);
}
std::string no_function(const Model& model, Target target) {
  const auto& obstacle = model.obstacles[target.object];
  if (std::holds_alternative<model::AnalyticDistance>(obstacle.shape)) return "";
  return fmt::format("the shape of obstacle '{}' has no parameters", obstacle.name);
}
template <class Kind>
std::string other_load(const Model& model, Target target) {
  if (std::holds_alternative<Kind>(model.surface_loads[target.object].kind)) return "";
  return fmt::format("surface load {} is of another kind", target.object);
}

// A row whose numbers a function finds in a model, to read and to write, and another one in a gradient.
template <auto At, auto GradientAt>
constexpr QuantityRow row(std::string_view name, std::string_view object, std::size_t (*objects)(const Model&),
                          std::string (*lacks)(const Model&, Target) = nothing) {
  return {name,
          object,
          false,
          false,
          objects,
          lacks,
          [](const Model& model, Target target) {
            const auto& found = At(const_cast<Model&>(model), target);
            return Numbers(std::begin(found), std::end(found));
          },
          [](Model& model, Target target, Values values) {
            auto&& found = At(model, target);
            std::copy(values.begin(), values.end(), std::begin(found));
          },
          [](const Model&, const Gradient& gradient, Target target) {
            const auto& found = GradientAt(const_cast<Gradient&>(gradient), target);
            return Numbers(std::begin(found), std::end(found));
          }};
}

std::span<double> only(double& value) { return {&value, 1}; }

Numbers signal_values(const model::Signal& signal) {
  Numbers result;
  for (const auto& key : signal) result.push_back(key.value);
  return result;
}
void set_signal(Values values, model::Signal& signal) {
  for (std::size_t k = 0; k < values.size(); ++k) signal[k].value = values[k];
}

// A surface load as what it has to be; the design checks that it is.
template <class Kind>
Kind& load_as(Model& model, Target target) {
  return std::get<Kind>(model.surface_loads[target.object].kind);
}
template <class Kind>
const Kind& load_as(const Model& model, Target target) {
  return std::get<Kind>(model.surface_loads[target.object].kind);
}

template <auto Table, auto By>
constexpr QuantityRow table(std::string_view name) {
  return {
      name,
      "surface load",
      false,
      false,
      loads,
      other_load<model::Hydrodynamics>,
      [](const Model& model, Target target) {
        Numbers result;
        for (const auto& entry : load_as<model::Hydrodynamics>(model, target).*Table) result.push_back(entry.value);
        return result;
      },
      [](Model& model, Target target, Values values) {
        auto& entries = load_as<model::Hydrodynamics>(model, target).*Table;
        for (std::size_t k = 0; k < values.size(); ++k) entries[k].value = values[k];
      },
      [](const Model&, const Gradient& gradient, Target target) { return gradient.surface_loads[target.object].*By; }};
}

// Translations or rotations of key frames, of the members of a model and of a gradient that have motions.
template <auto Part>
Numbers key_numbers(const std::vector<model::KeyFrame>& keys) {
  std::vector<Vector3> result;
  result.reserve(keys.size());
  for (const auto& key : keys) result.push_back(key.*Part);
  return numbers(result);
}
template <auto Part, auto Movers, auto GradientMovers>
constexpr QuantityRow motion(std::string_view name, std::string_view object, bool asked_for,
                             std::size_t (*objects)(const Model&), std::string (*lacks)(const Model&, Target)) {
  return {name,
          object,
          false,
          asked_for,
          objects,
          lacks,
          [](const Model& model, Target target) { return key_numbers<Part>((model.*Movers)[target.object].motion); },
          [](Model& model, Target target, Values values) {
            auto& keys = (model.*Movers)[target.object].motion;
            for (std::size_t k = 0; k < keys.size(); ++k) put(values.subspan(3 * k), keys[k].*Part);
          },
          [](const Model&, const Gradient& gradient, Target target) {
            return key_numbers<Part>((gradient.*GradientMovers)[target.object].motion);
          }};
}
// Where held nodes do not move there is one pose, that of rest, at all times.
template <auto Part>
constexpr QuantityRow held_motion(std::string_view name) {
  return motion<Part, &Model::dirichlet, &Gradient::motions>(name, "dirichlet", true, held, no_motion);
}
template <auto Part>
constexpr QuantityRow obstacle_motion(std::string_view name) {
  return motion<Part, &Model::obstacles, &Gradient::obstacles>(name, "obstacle", false, obstacles, nothing);
}

// A body's nodes: first and last; of a model without bodies all of them.
std::pair<std::size_t, std::size_t> nodes_of(const Model& model, Target target) {
  if (model.bodies.empty()) return {0, model.mesh.nodes.size()};
  const auto& body = model.bodies[target.object];
  return {static_cast<std::size_t>(body.first_node), static_cast<std::size_t>(body.first_node + body.nodes)};
}

Vector3 mean(const std::vector<double>& values, std::pair<std::size_t, std::size_t> nodes) {
  Vector3 result{};
  for (std::size_t i = 3 * nodes.first; i < 3 * nodes.second; ++i) result[i % 3] += values[i];
  return mesh::scaled(1 / static_cast<double>(nodes.second - nodes.first), result);
}

// A nodal field of the start that moves as a whole; its mean is what varies.
template <auto Field, auto By>
constexpr QuantityRow moved(std::string_view name) {
  return {name,
          "body",
          false,
          false,
          bodies,
          nothing,
          [](const Model& model, Target target) { return numbers(mean(model.*Field, nodes_of(model, target))); },
          [](Model& model, Target target, Values values) {
            const auto nodes = nodes_of(model, target);
            const Vector3 before = mean(model.*Field, nodes);
            for (std::size_t i = 3 * nodes.first; i < 3 * nodes.second; ++i)
              (model.*Field)[i] += values[i % 3] - before[i % 3];
          },
          [](const Model& model, const Gradient& gradient, Target target) {
            const auto nodes = nodes_of(model, target);
            Vector3 result{};
            for (std::size_t i = 3 * nodes.first; i < 3 * nodes.second; ++i) result[i % 3] += (gradient.*By)[i];
            return numbers(result);
          }};
}

const QuantityRow rows[] = {
    row<[](Model& m, Target t) -> auto& { return m.regions[t.object].parameters[t.part]; },
        [](Gradient& g, Target t) -> auto& { return g.regions[t.object].parameters[t.part]; }>("parameter", "region",
                                                                                               regions, given_by_keys),
    {"signal", "region", false, false, regions, no_keys,
     [](const Model& m, Target t) { return signal_values(m.regions[t.object].signals[t.part]); },
     [](Model& m, Target t, Values values) { set_signal(values, m.regions[t.object].signals[t.part]); },
     [](const Model&, const Gradient& g, Target t) { return g.regions[t.object].signals[t.part]; }},
    row<[](Model& m, Target t) { return only(m.regions[t.object].density); },
        [](Gradient& g, Target t) { return only(g.regions[t.object].density); }>("density", "region", regions, no_mass),
    row<[](Model& m, Target t) { return only(m.regions[t.object].damping.mass); },
        [](Gradient& g, Target t) { return only(g.regions[t.object].mass_damping); }>("mass_damping", "region", regions,
                                                                                      no_mass),
    row<[](Model& m, Target t) -> auto& { return m.regions[t.object].damping.stiffness; },
        [](Gradient& g, Target t) -> auto& { return g.regions[t.object].stiffness_damping; }>(
        "stiffness_damping", "region", regions, no_stiffness_damping),
    {"direction", "region", false, false, regions, no_directions,
     [](const Model& m, Target t) { return numbers(m.regions[t.object].directions[t.part]); },
     [](Model& m, Target t, Values values) {
       auto& vectors = m.regions[t.object].directions[t.part];
       for (std::size_t e = 0; e < vectors.size(); ++e) put(values.subspan(3 * e), vectors[e]);
     },
     [](const Model&, const Gradient& g, Target t) { return numbers(g.regions[t.object].directions[t.part]); }},
    row<[](Model& m, Target) -> auto& { return m.gravity; }, [](Gradient& g, Target) -> auto& { return g.gravity; }>(
        "gravity", "", one),
    row<[](Model& m, Target t) -> auto& { return m.forces[t.object].force; },
        [](Gradient& g, Target t) -> auto& { return g.forces[t.object]; }>("force", "nodal force", forces),
    {"force_factor", "nodal force", false, false, forces, no_factor,
     [](const Model& m, Target t) { return signal_values(m.forces[t.object].factor); },
     [](Model& m, Target t, Values values) { set_signal(values, m.forces[t.object].factor); },
     [](const Model&, const Gradient& g, Target t) { return g.force_factors[t.object]; }},
    {"pressure", "surface load", false, false, loads, other_load<model::FollowerPressure>,
     [](const Model& m, Target t) { return signal_values(load_as<model::FollowerPressure>(m, t).pressure); },
     [](Model& m, Target t, Values values) { set_signal(values, load_as<model::FollowerPressure>(m, t).pressure); },
     [](const Model&, const Gradient& g, Target t) { return g.surface_loads[t.object].pressure; }},
    row<[](Model& m, Target t) { return only(load_as<model::Hydrodynamics>(m, t).density); },
        [](Gradient& g, Target t) { return only(g.surface_loads[t.object].density); }>(
        "fluid_density", "surface load", loads, other_load<model::Hydrodynamics>),
    row<[](Model& m, Target t) -> auto& { return load_as<model::Hydrodynamics>(m, t).flow; },
        [](Gradient& g, Target t) -> auto& { return g.surface_loads[t.object].flow; }>(
        "flow", "surface load", loads, other_load<model::Hydrodynamics>),
    table<&model::Hydrodynamics::drag, &model::SurfaceLoadGradient::drag>("drag"),
    table<&model::Hydrodynamics::thrust, &model::SurfaceLoadGradient::thrust>("thrust"),
    held_motion<&model::KeyFrame::translation>("translation"),
    held_motion<&model::KeyFrame::rotation>("rotation"),
    moved<&Model::initial_positions, &Gradient::positions>("position"),
    moved<&Model::initial_velocities, &Gradient::velocities>("velocity"),
    row<[](Model& m, Target t) -> auto& { return m.controllers[t.object].parameters[t.part]; },
        [](Gradient& g, Target t) -> auto& { return g.controllers[t.object][t.part]; }>("controller", "controller",
                                                                                        controllers),
    row<[](Model& m, Target t) { return only(m.contacts[t.object].friction); },
        [](Gradient& g, Target t) { return only(g.friction[t.object]); }>(
        "friction", "contact pair", pairs, no_coefficient<&model::ContactPair::friction>),
    row<[](Model& m, Target t) { return only(m.contacts[t.object].friction_across); },
        [](Gradient& g, Target t) { return only(g.friction_across[t.object]); }>(
        "friction_across", "contact pair", pairs, no_coefficient<&model::ContactPair::friction_across>),
    row<[](Model& m, Target t) { return only(m.contacts[t.object].friction_crossed); },
        [](Gradient& g, Target t) { return only(g.friction_crossed[t.object]); }>(
        "friction_crossed", "contact pair", pairs, no_coefficient<&model::ContactPair::friction_crossed>),
    row<[](Model& m, Target t) { return only(m.contacts[t.object].restitution); },
        [](Gradient& g, Target t) { return only(g.restitution[t.object]); }>(
        "restitution", "contact pair", pairs, no_coefficient<&model::ContactPair::restitution>),
    row<[](Model& m, Target t) { return only(m.contacts[t.object].penalty->stiffness); },
        [](Gradient& g, Target t) { return only(g.penalty_stiffness[t.object]); }>("penalty_stiffness", "contact pair",
                                                                                   pairs, no_penalty),
    row<[](Model& m, Target t) { return only(m.contacts[t.object].penalty->slip_speed); },
        [](Gradient& g, Target t) { return only(g.slip_speed[t.object]); }>("slip_speed", "contact pair", pairs,
                                                                            no_penalty),
    row<[](Model& m, Target t) -> auto& { return m.ties[t.object].to; },
        [](Gradient& g, Target t) -> auto& { return g.ties[t.object]; }>("tie", "tie", ties),
    obstacle_motion<&model::KeyFrame::translation>("obstacle_translation"),
    obstacle_motion<&model::KeyFrame::rotation>("obstacle_rotation"),
    row<[](Model& m, Target t) -> auto& {
      return std::get<model::AnalyticDistance>(m.obstacles[t.object].shape).parameters[t.part];
    },
        [](Gradient& g, Target t) -> auto& { return g.obstacles[t.object].parameters[t.part]; }>(
        "obstacle_parameter", "obstacle", obstacles, no_function),
    {"rest_shape", "", true, false, one, nothing, [](const Model& m, Target) { return numbers(m.mesh.nodes); },
     [](Model& m, Target, Values values) {
       for (std::size_t i = 0; i < values.size(); ++i) {
         m.initial_positions[i] += values[i] - m.mesh.nodes[i / 3][i % 3];
         m.mesh.nodes[i / 3][i % 3] = values[i];
       }
     },
     [](const Model&, const Gradient& g, Target) {
       Numbers result = g.rest;
       for (std::size_t i = 0; i < result.size(); ++i) result[i] += g.positions[i];
       return result;
     }},
};

bool has_parts(Quantity quantity) {
  return quantity == Quantity::parameter || quantity == Quantity::signal || quantity == Quantity::direction ||
         quantity == Quantity::controller || quantity == Quantity::obstacle_parameter;
}

// Whose parts they are, for messages.
std::string owner(const Model& model, Quantity quantity, std::size_t object) {
  if (quantity == Quantity::controller)
    return fmt::format("the function '{}' of controller '{}'", model.controllers[object].function->name,
                       model.controllers[object].name);
  if (quantity == Quantity::obstacle_parameter)
    return fmt::format("the shape of obstacle '{}'", model.obstacles[object].name);
  return fmt::format("the energy '{}' of region '{}'", model.regions[object].energy->name, model.regions[object].name);
}

}  // namespace

std::span<const QuantityRow> all_quantities() { return rows; }
const QuantityRow& quantity_row(Quantity quantity) { return rows[static_cast<std::size_t>(quantity)]; }

void set_spread(Model& model, Quantity quantity, Target target, bool over_elements) {
  if (quantity_row(quantity).object != "region") return;
  auto& region = model.regions[target.object];
  const std::size_t count = over_elements ? region.elements.count() : 1;
  const auto spread = [&](auto& values) {
    if (values.size() != count) values.resize(count, values.front());
  };
  if (quantity == Quantity::parameter) spread(region.parameters[target.part]);
  if (quantity == Quantity::stiffness_damping) spread(region.damping.stiffness);
  if (quantity == Quantity::direction) spread(region.directions[target.part]);
}

std::vector<std::string> part_names(const Model& model, Quantity quantity, std::size_t object) {
  std::vector<std::string> names;
  if (quantity == Quantity::parameter || quantity == Quantity::signal)
    for (const auto& parameter : model.regions[object].energy->parameters) names.push_back(parameter.name);
  if (quantity == Quantity::direction)
    for (const auto& input : model.regions[object].energy->inputs)
      if (input.kind == ir::InputKind::direction) names.push_back(input.name);
  if (quantity == Quantity::controller)
    for (const auto& parameter : model.controllers[object].function->parameters) names.push_back(parameter.name);
  if (quantity == Quantity::obstacle_parameter)
    if (const auto* shape = std::get_if<model::AnalyticDistance>(&model.obstacles[object].shape))
      for (const auto& parameter : shape->function->parameters) names.push_back(parameter.name);
  return names;
}

std::vector<Target> targets_of(const Model& model, Quantity quantity) {
  const auto& row = quantity_row(quantity);
  std::vector<Target> result;
  for (std::size_t object = 0; object < row.objects(model); ++object) {
    const std::size_t parts = has_parts(quantity) ? part_names(model, quantity, object).size() : 1;
    for (std::size_t part = 0; part < parts; ++part)
      if (row.lacks(model, {object, part}).empty()) result.push_back({object, part});
  }
  return result;
}

std::size_t part_named(const Model& model, Quantity quantity, std::size_t object, const std::string& name) {
  if (!has_parts(quantity)) return 0;
  const auto names = part_names(model, quantity, object);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string nearest = nearest_name(name, names);
  fail("variable '{}': {} has no such {}{}", name, owner(model, quantity, object),
       quantity == Quantity::direction ? "direction" : "parameter",
       nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
}

}  // namespace proxima::optimize
