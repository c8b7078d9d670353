// What an author declares: the strain measure, parameters, directions, histories.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "compiler/dsl/tracing.hpp"

namespace proxima::dsl {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

std::string_view name_of(ir::InputKind kind) {
  switch (kind) {
    case ir::InputKind::time_step:
      return "time_step";
    case ir::InputKind::rest_length:
      return "rest_length";
    case ir::InputKind::rest_positions:
      return "rest_positions";
    default:
      return "";
  }
}

std::size_t components(ir::Measure measure, unsigned nodes) {
  ir::Energy energy;
  energy.measure = measure;
  energy.stencil = nodes;
  return energy.strain_components();
}

}  // namespace

std::string spelled(ir::Measure measure) {
  switch (measure) {
    case ir::Measure::deformation_gradient:
      return "deformation_gradient()";
    case ir::Measure::surface_deformation_gradient:
      return "surface_deformation_gradient()";
    case ir::Measure::edge_vector:
      return "edge_vector()";
    case ir::Measure::node_positions:
      return "node_positions()";
  }
  return "";
}

unsigned Trace::strain_component(ir::Measure measure, unsigned nodes, unsigned k, Place place) {
  if (!belongs_to_energy(spelled(measure), place)) return of_type(ir::Type::number);
  if (!strain) strain = Strain{measure, nodes, place, new_slots(components(measure, nodes)), {}};
  if (strain->measure != measure) {
    note_mistake(place, fmt::format("an energy is a function of one strain measure; this one is of {} at {} and of {} "
                                    "here",
                                    spelled(strain->measure), dsl::text_of(strain->place), spelled(measure)));
    return of_type(ir::Type::number);
  }
  if (strain->stencil != nodes) {
    note_mistake(place, fmt::format("node_positions<{}>() here, but node_positions<{}>() at {}: an energy is of one "
                                    "stencil",
                                    nodes, strain->stencil, dsl::text_of(strain->place)));
    return of_type(ir::Type::number);
  }
  return handle_of(strain->nodes.at(k));
}

Trace::DeclaredInput& Trace::new_input(ir::InputKind kind, const std::string& name, std::size_t count, Place place) {
  DeclaredInput& declared = inputs.emplace_back();
  declared.input = {kind, name, static_cast<std::uint32_t>(count), {}, {}, location(place)};
  declared.nodes = new_slots(count);
  return declared;
}

unsigned Trace::plain_input(ir::InputKind kind, unsigned nodes, unsigned k, Place place) {
  if (!belongs_to_energy(fmt::format("{}()", name_of(kind)), place)) return of_type(ir::Type::number);
  const std::size_t count = kind == ir::InputKind::rest_positions ? 3 * std::size_t{nodes} : 1;
  for (const DeclaredInput& declared : inputs) {
    if (declared.input.kind != kind) continue;
    if (declared.input.components != count) {
      note_mistake(place, fmt::format("rest_positions<{}>() here, but rest_positions<{}>() at {}: an energy is of one "
                                      "stencil",
                                      nodes, declared.input.components / 3, text_of(declared.input.where)));
      return of_type(ir::Type::number);
    }
    return handle_of(declared.nodes.at(k));
  }
  return handle_of(new_input(kind, std::string(name_of(kind)), count, place).nodes.at(k));
}

void Trace::check_name(const char* kind, const std::string& name, Place place) {
  if (name.empty()) note_mistake(place, fmt::format("a {} needs a name", kind));
  const auto refuse = [&](const std::string& other, ir::SourceLocation where) {
    const std::string as = other.ends_with(kind) ? "" : fmt::format(" as {}", other);
    note_mistake(place,
                 fmt::format("{} '{}' is declared twice; the first time{} at {}", kind, name, as, text_of(where)));
  };
  for (const ir::Parameter& other : parameters)
    if (other.name == name) refuse(other.varies_in_time ? "a signal" : "a parameter", other.where);
  for (const DeclaredFunctionInput& other : function_inputs)
    if (other.input.name == name) refuse("an input", other.input.where);
  for (const DeclaredWeights& other : weight_arrays)
    if (other.parameter.name == name) refuse("weights", other.parameter.where);
  for (const DeclaredInput& other : inputs) {
    if (other.input.name != name) continue;
    if (other.input.kind == ir::InputKind::direction) refuse("a direction", other.input.where);
    if (other.input.kind == ir::InputKind::history) refuse("a history", other.input.where);
  }
}

unsigned Trace::parameter(const std::string& name, const std::string& unit, double default_value, bool varies_in_time,
                          Place place) {
  const char* kind = varies_in_time ? "signal" : "parameter";
  if (varies_in_time) belongs_to_energy("signal(...)", place);
  check_name(kind, name, place);
  if (!std::isfinite(default_value))
    note_mistake(place, fmt::format("the default of {} '{}' is {}, which is not finite", kind, name, default_value));
  parameters.push_back({name, unit, default_value, -inf, inf, location(place), varies_in_time});
  parameter_nodes.push_back(new_slots(1).front());
  return handle_of(parameter_nodes.back());
}

void Trace::narrow(unsigned handle, double lower, double upper, Place place) {
  const auto node = node_of(handle, place);
  for (std::size_t k = 0; node && k < parameters.size(); ++k) {
    if (parameter_nodes[k] != *node) continue;
    ir::Parameter& parameter = parameters[k];
    parameter.lower = std::fmax(parameter.lower, lower);
    parameter.upper = std::fmin(parameter.upper, upper);
    if (std::isnan(lower) || std::isnan(upper) || !(parameter.lower < parameter.upper))
      note_mistake(place, fmt::format("parameter '{}' has no allowed value between {} and {}", parameter.name,
                                      parameter.lower, parameter.upper));
    else if (!(parameter.lower < parameter.default_value && parameter.default_value < parameter.upper))
      note_mistake(place, fmt::format("the default of parameter '{}' is {}; it must be above {} and below {}",
                                      parameter.name, parameter.default_value, parameter.lower, parameter.upper));
  }
}

unsigned Trace::direction(const std::string& name, const double* axis, Place place) {
  belongs_to_energy("direction(...)", place);
  check_name("direction", name, place);
  DeclaredInput& declared = new_input(ir::InputKind::direction, name, 3, place);
  if (axis != nullptr) {
    const double length = std::hypot(axis[0], axis[1], axis[2]);
    if (!std::isfinite(length) || length == 0)
      note_mistake(place, fmt::format("the default of direction '{}' is ({}, {}, {}), which points nowhere; its length "
                                      "must be finite and not 0",
                                      name, axis[0], axis[1], axis[2]));
    for (int i = 0; i < 3; ++i) declared.input.initial.push_back(axis[i] / length);
  }
  return static_cast<unsigned>(inputs.size() - 1);
}

unsigned Trace::history(const std::string& name, std::span<const unsigned> initial, Place place) {
  belongs_to_energy("history(...)", place);
  check_name("history", name, place);
  DeclaredInput& declared = new_input(ir::InputKind::history, name, initial.size(), place);
  for (ir::NodeId node : nodes_of(initial, place)) {
    if (!graph.is_constant(node))
      note_mistake(place, fmt::format("the initial value of history '{}' must be made of plain numbers; a value that "
                                      "depends on inputs belongs into the energy",
                                      name));
    declared.input.initial.push_back(graph.is_constant(node) ? graph.constant_value(node) : 0);
  }
  return static_cast<unsigned>(inputs.size() - 1);
}

unsigned Trace::component(unsigned input, unsigned k, Place place) {
  if (input < inputs.size() && k < inputs[input].nodes.size()) return handle_of(inputs[input].nodes[k]);
  node_of(0, place);  // an input of another trace
  return of_type(ir::Type::number);
}

void Trace::update(unsigned history, std::span<const unsigned> values, Place place) {
  if (history >= inputs.size() || inputs[history].nodes.size() != values.size() ||
      inputs[history].input.kind != ir::InputKind::history) {
    node_of(0, place);
    return;
  }
  DeclaredInput& declared = inputs[history];
  if (declared.updated)
    note_mistake(place, fmt::format("history '{}' is updated twice; the first time at {}", declared.input.name,
                                    dsl::text_of(*declared.updated)));
  declared.updated = place;
  declared.input.update = nodes_of(values, place);
}

}  // namespace proxima::dsl
