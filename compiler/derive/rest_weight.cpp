// Stiffness at rest, from second derivatives by the strain as an input of the energy's own graph; then rest is put in.
#include "compiler/derive/kernel_builder.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/ir/operators.hpp"
#include "compiler/support/error.hpp"

namespace proxima::derive {
namespace {

using ir::Access;
using ir::Energy;
using ir::Expression;
using ir::InputKind;
using ir::Measure;
using ir::NodeId;

// A rest length or rest positions, of edges and stencils: the energy's own field where it has one.
Nodes rest_field(KernelBuilder& builder, const Energy& energy, const Arguments& arguments, InputKind kind,
                 const char* name, std::uint32_t components) {
  for (std::size_t k = 0; k < energy.inputs.size(); ++k)
    if (energy.inputs[k].kind == kind) return arguments.inputs[k];
  return builder.input(name, Access::uniform, components);
}

struct Rest {
  Nodes strain;
  std::vector<std::uint32_t> axes;  // components of the strain along which curvature is taken
};

Rest declare_rest(KernelBuilder& builder, const Energy& energy, const Arguments& arguments) {
  ir::Graph& graph = builder.graph;
  const std::uint32_t n = energy.strain_components();
  Rest rest{.strain = Nodes(n, graph.constant(0)), .axes = {}};
  if (energy.measure == Measure::edge_vector) {
    rest.strain[0] = rest_field(builder, energy, arguments, InputKind::rest_length, "rest_length", 1)[0];
    rest.axes = {0};
  } else if (energy.measure == Measure::node_positions) {
    rest.strain = rest_field(builder, energy, arguments, InputKind::rest_positions, "rest_positions", n);
    for (std::uint32_t k = 0; k < n; ++k) rest.axes.push_back(k);
  } else {
    const std::uint32_t columns = n / 3;
    for (std::uint32_t i = 0; i < columns; ++i) {
      rest.axes.push_back(i * columns + i);
      rest.strain[rest.axes.back()] = graph.constant(1);
    }
  }
  return rest;
}

struct Weight {
  NodeId weight;
  Nodes parameters;
};

Weight declare_weight(KernelBuilder& builder, const Energy& energy) {
  ir::Graph& graph = builder.graph;
  Arguments arguments;
  declare_energy_inputs(builder, energy, std::vector<bool>(energy.parameters.size(), false), Access::uniform, false,
                        arguments);
  const Rest rest = declare_rest(builder, energy, arguments);
  arguments.strain = arguments.previous = rest.strain;

  NodeId weight = rest_curvature(energy, graph, arguments, rest.axes);
  if (energy.dissipation && !energy.projection)
    weight = (Expression{&graph, arguments.time_step[0]} * Expression{&graph, weight}).node;
  return {weight, arguments.parameters};
}

}  // namespace

NodeId rest_curvature(const Energy& energy, ir::Graph& graph, const Arguments& at_rest,
                      std::span<const std::uint32_t> axes) {
  // A projective energy is already the spring that the matrix stands for.
  if (energy.projection) return instantiate(energy, {&energy.projection->weight, 1}, graph, at_rest)[0];
  Energy curved = energy;  // its roots in a graph that may grow
  const NodeId one = curved.graph.constant(1);
  Nodes curvatures;
  for (const std::uint32_t axis : axes) {
    const Nodes stretch = {curved.graph.input(axis)};
    const NodeId slope = gradient(curved.graph, curved.density, stretch)[0];
    curvatures.push_back(directional(curved.graph, {&slope, 1}, stretch, {&one, 1})[0]);
  }
  const Nodes values = instantiate(curved, curvatures, graph, at_rest);
  Expression sum{&graph, values[0]};
  for (std::size_t k = 1; k < values.size(); ++k) sum = sum + Expression{&graph, values[k]};
  return (sum / static_cast<double>(values.size())).node;
}

std::string parameter_of_closest_points(const Energy& energy) {
  const ir::Graph& graph = energy.graph;
  const std::vector<bool> live = ir::live_nodes(graph, {&energy.density, 1});
  Nodes closest;
  for (std::uint32_t i = 0; i < live.size(); ++i)
    if (live[i] && graph.node({i}).op == ir::Op::gap) closest.push_back(graph.operands({i})[1]);
  const std::vector<bool> inside = ir::live_nodes(graph, closest);
  for (std::uint32_t i = 0; i < inside.size(); ++i) {
    const ir::Node& node = graph.node({i});
    if (!inside[i] || node.op != ir::Op::input) continue;
    for (std::size_t k = 0; k < energy.parameters.size(); ++k)
      if (node.payload == energy.parameter_slot(k)) return energy.parameters[k].name;
  }
  return "";
}

void check_rest_curvature_gradient(const Energy& energy) {
  if (const std::string name = parameter_of_closest_points(energy); !name.empty())
    fail(
        "energy '{}': its stiffness at rest has no derivative by '{}', which moves a closest point; only the weight of "
        "an energy that is one projection and nothing else has",
        energy.name, name);
}

ir::Kernel rest_weight(const Energy& energy) {
  KernelBuilder builder(energy.name + ".rest_weight", 0);
  builder.output("weight", {declare_weight(builder, energy).weight});
  return builder.finish();
}

ir::Kernel rest_weight_gradient(const Energy& energy) {
  if (!energy.projection) check_rest_curvature_gradient(energy);
  KernelBuilder builder(energy.name + ".rest_weight_gradient", 0);
  const auto [weight, parameters] = declare_weight(builder, energy);
  builder.output("weight", {weight});
  builder.output("parameters", gradient(builder.graph, weight, parameters));
  return builder.finish();
}

}  // namespace proxima::derive
