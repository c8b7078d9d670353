#include "compiler/derive/kernel_builder.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

#include "compiler/derive/exact_quotients.hpp"
#include "compiler/derive/filter.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::derive {
namespace {

using ir::Access;
using ir::Energy;
using ir::InputKind;
using ir::NodeId;

// Energies have their inputs in the order in which the author wrote them, kernels by kind.
constexpr std::array field_order = {InputKind::direction, InputKind::history, InputKind::rest_length,
                                    InputKind::rest_positions};

bool is_rest(InputKind kind) { return kind == InputKind::rest_length || kind == InputKind::rest_positions; }

bool contains(const ir::Graph& graph, NodeId root, std::initializer_list<ir::Op> ops) {
  const std::vector<bool> live = ir::live_nodes(graph, {&root, 1});
  for (std::uint32_t i = 0; i < live.size(); ++i)
    if (live[i] && std::find(ops.begin(), ops.end(), graph.node({i}).op) != ops.end()) return true;
  return false;
}

void add_pull_backs_by_kind(KernelBuilder& builder, const Source& source, InputKind kind) {
  for (std::size_t k = 0; k < source.declared.inputs.size(); ++k)
    if (source.declared.inputs[k].kind == kind)
      builder.output(
          field_name(source.declared.inputs[k]),
          power_gradient(builder.graph, source.energy, source.moving, source.direction, source.arguments.inputs[k]));
}

void add_history_update(KernelBuilder& builder, const Source& source) {
  for (const ir::Input& input : source.declared.inputs)
    if (input.kind == InputKind::history)
      builder.output(field_name(input), instantiate(source.declared, input.update, builder.graph, source.arguments));
}

// The adjoint of add_history_update: reverse sweeps through the sum of the updated values times their adjoints.
void add_history_pull_back(KernelBuilder& builder, const Source& source) {
  ir::Graph& graph = builder.graph;
  std::optional<ir::Expression> sum;
  for (const ir::Input& input : source.declared.inputs) {
    if (input.kind != InputKind::history) continue;
    const Nodes adjoints = builder.input("history_bar:" + input.name, Access::element, input.components);
    const Nodes updated = instantiate(source.declared, input.update, graph, source.arguments);
    for (std::size_t k = 0; k < updated.size(); ++k) {
      const ir::Expression term = ir::Expression{&graph, updated[k]} * ir::Expression{&graph, adjoints[k]};
      sum = sum ? *sum + term : term;
    }
  }
  if (!sum) return;
  builder.output(source.moving_name, gradient(graph, sum->node, source.moving));
  builder.output("previous", gradient(graph, sum->node, source.previous));
  builder.output("parameters", gradient(graph, sum->node, source.arguments.parameters));
  for (const InputKind kind : {InputKind::direction, InputKind::history})
    for (std::size_t k = 0; k < source.declared.inputs.size(); ++k)
      if (source.declared.inputs[k].kind == kind)
        builder.output(field_name(source.declared.inputs[k]), gradient(graph, sum->node, source.arguments.inputs[k]));
}

}  // namespace

std::string field_name(const ir::Parameter& parameter) { return "parameter:" + parameter.name; }

std::string field_name(const ir::Input& input) {
  switch (input.kind) {
    case InputKind::direction:
      return "direction:" + input.name;
    case InputKind::history:
      return "history:" + input.name;
    case InputKind::previous_strain:
      return "previous";
    case InputKind::time_step:
      return "time_step";
    case InputKind::rest_length:
      return "rest_length";
    case InputKind::rest_positions:
      return "rest_positions";
  }
  return "";
}

KernelBuilder::KernelBuilder(std::string name, std::uint32_t corners) {
  kernel_.name = std::move(name);
  kernel_.corners = corners;
}

Nodes KernelBuilder::input(std::string name, Access access, std::uint32_t components) {
  kernel_.inputs.push_back({std::move(name), access, components});
  Nodes nodes(kernel_.scalars(kernel_.inputs.back()));
  for (NodeId& node : nodes) node = graph.input(next_slot_++);
  return nodes;
}

void KernelBuilder::output(std::string name, const Nodes& nodes) {
  if (nodes.empty()) return;
  kernel_.outputs.push_back({std::move(name), Access::element, static_cast<std::uint32_t>(nodes.size())});
  results_.insert(results_.end(), nodes.begin(), nodes.end());
}

ir::Kernel KernelBuilder::finish() {
  kernel_.results = ir::transplant(graph, results_, kernel_.graph);
  return std::move(kernel_);
}

void declare_energy_inputs(KernelBuilder& builder, const Energy& energy, const std::vector<bool>& per_element,
                           Access time_step, bool rest_known, Arguments& arguments) {
  if (per_element.size() != energy.parameters.size())
    throw std::logic_error("kernels of " + energy.name + ": one entry of per_element is needed for each parameter");
  if (energy.dissipation || energy.find(InputKind::time_step) != nullptr)
    arguments.time_step = builder.input("time_step", time_step, 1);
  for (std::size_t k = 0; k < per_element.size(); ++k)
    arguments.parameters.push_back(
        builder.input(field_name(energy.parameters[k]), per_element[k] ? Access::element : Access::uniform, 1)[0]);
  arguments.inputs.resize(energy.inputs.size());
  for (const InputKind kind : field_order)
    for (std::size_t k = 0; k < energy.inputs.size(); ++k) {
      const ir::Input& input = energy.inputs[k];
      if (input.kind == kind && !(rest_known && is_rest(kind)))
        arguments.inputs[k] = builder.input(field_name(input), Access::element, input.components);
    }
}

Nodes slots_of(const Energy& energy, const Arguments& arguments) {
  Nodes slots = arguments.strain;
  const auto append = [&](const Nodes& nodes) { slots.insert(slots.end(), nodes.begin(), nodes.end()); };
  append(arguments.parameters);
  for (std::size_t k = 0; k < energy.inputs.size(); ++k) {
    const InputKind kind = energy.inputs[k].kind;
    append(kind == InputKind::previous_strain ? arguments.previous
           : kind == InputKind::time_step     ? arguments.time_step
                                              : arguments.inputs[k]);
  }
  if (slots.size() != energy.slots())
    throw std::logic_error("kernels of " + energy.name + ": its inputs have other sizes than their kinds");
  return slots;
}

Nodes instantiate(const Energy& energy, std::span<const NodeId> roots, ir::Graph& graph, const Arguments& arguments) {
  ir::Graph formulas = energy.graph;
  const std::vector<NodeId> exact = with_exact_quotients(formulas, roots);
  return ir::transplant(formulas, exact, graph, slots_of(energy, arguments));
}

NodeId incremental_density(const Energy& energy, ir::Graph& graph, const Arguments& arguments) {
  const NodeId density = instantiate(energy, {&energy.density, 1}, graph, arguments).front();
  if (!energy.dissipation) return density;
  return (ir::Expression{&graph, arguments.time_step.front()} * ir::Expression{&graph, density}).node;
}

const char* name_of(Quantity quantity) {
  static constexpr std::array names = {"energy",
                                       "forces",
                                       "energy_forces",
                                       "hessian_vector",
                                       "hessian_vector_clamped",
                                       "hessian_vector_absolute",
                                       "hessian",
                                       "pull_back",
                                       "rest_pull_back",
                                       "carried_pull_back",
                                       "state",
                                       "history_update",
                                       "history_pull_back"};
  return names.at(static_cast<std::size_t>(quantity));
}

bool takes_direction(Quantity quantity) {
  return quantity == Quantity::hessian_vector || is_filtered(quantity) || quantity == Quantity::pull_back ||
         quantity == Quantity::rest_pull_back || quantity == Quantity::carried_pull_back;
}

Nodes hessian(ir::Graph& graph, NodeId energy, const Nodes& strain) {
  const Nodes stress = gradient(graph, energy, strain);
  const NodeId one = graph.constant(1);
  Nodes result;
  for (std::size_t i = 0; i < strain.size(); ++i) {
    const Nodes row = directional(graph, std::span(stress).subspan(i), {&strain[i], 1}, {&one, 1});
    result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}

Nodes power_gradient(ir::Graph& graph, NodeId energy, const Nodes& moving, const Nodes& direction, const Nodes& to) {
  if (contains(graph, energy, {ir::Op::svd, ir::Op::eigen}) && !contains(graph, energy, {ir::Op::gap}))
    return directional(graph, gradient(graph, energy, to), moving, direction);
  const NodeId power = directional(graph, {&energy, 1}, moving, direction).front();
  return gradient(graph, power, to);
}

void add_outputs(KernelBuilder& builder, Quantity quantity, const Source& source) {
  ir::Graph& graph = builder.graph;
  if (quantity == Quantity::energy || quantity == Quantity::energy_forces) builder.output("energy", {source.energy});
  if (quantity == Quantity::forces || quantity == Quantity::energy_forces)
    builder.output(source.forces_name, gradient(graph, source.energy, source.moving));
  if (quantity == Quantity::hessian_vector)
    builder.output(source.forces_name,
                   directional(graph, gradient(graph, source.energy, source.moving), source.moving, source.direction));
  if (quantity == Quantity::hessian) builder.output("hessian", hessian(graph, source.energy, source.arguments.strain));
  const auto pulled_back = [&](const Nodes& to) {
    return power_gradient(graph, source.energy, source.moving, source.direction, to);
  };
  if (quantity == Quantity::pull_back) {
    builder.output("parameters", pulled_back(source.arguments.parameters));
    add_pull_backs_by_kind(builder, source, InputKind::direction);
  }
  if (quantity == Quantity::carried_pull_back) {
    builder.output("previous", pulled_back(source.previous));
    add_pull_backs_by_kind(builder, source, InputKind::history);
  }
  if (quantity == Quantity::history_update) add_history_update(builder, source);
  if (quantity == Quantity::history_pull_back) add_history_pull_back(builder, source);
}

bool is_filtered(Quantity quantity) {
  return quantity == Quantity::hessian_vector_clamped || quantity == Quantity::hessian_vector_absolute;
}

Nodes filtered_stress_rate(const Energy& energy, Quantity quantity, ir::Graph& graph, const Arguments& arguments,
                           const Nodes& strain_direction) {
  const Filter filter = quantity == Quantity::hessian_vector_clamped ? Filter::clamp : Filter::absolute;
  Nodes rate = filtered_hessian_vector(graph, energy, filter, slots_of(energy, arguments), strain_direction);
  if (energy.dissipation)
    for (NodeId& entry : rate)
      entry = (ir::Expression{&graph, arguments.time_step.front()} * ir::Expression{&graph, entry}).node;
  return rate;
}

void add_state(KernelBuilder& builder, const Arguments& arguments, NodeId density) {
  builder.output("stress", gradient(builder.graph, density, arguments.strain));
  builder.output("density", {density});
}

bool depends_on(const Energy& energy, std::size_t parameter) {
  const std::vector<bool> live = ir::live_nodes(energy.graph, {&energy.density, 1});
  for (std::uint32_t i = 0; i < live.size(); ++i) {
    const ir::Node& node = energy.graph.node({i});
    if (live[i] && node.op == ir::Op::input && node.payload == energy.parameter_slot(parameter)) return true;
  }
  return false;
}

}  // namespace proxima::derive
