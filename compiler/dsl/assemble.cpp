#include "compiler/dsl/assemble.hpp"

#include <algorithm>
#include <map>

#include "compiler/ir/analysis.hpp"

namespace proxima::dsl {
namespace {

using Nodes = std::vector<ir::NodeId>;

// What is declared, with nodes of the trace's graph.
ir::Energy declared(const Trace& trace, ir::NodeId density) {
  ir::Energy energy;
  energy.name = trace.registered.name;
  energy.file = trace.registered.file;
  energy.density = density;
  energy.measure = trace.strain->measure;
  energy.stencil = trace.strain->stencil;
  energy.dissipation = trace.registered.definition == Definition::dissipation;
  energy.parameters = trace.parameters;
  for (const auto& input : trace.inputs) energy.inputs.push_back(input.input);
  const auto whole = std::ranges::find(trace.projections, density, &Trace::DeclaredProjection::density);
  if (whole != trace.projections.end()) energy.projection = whole->projection;
  return energy;
}

void append(Nodes& all, const Nodes& more) { all.insert(all.end(), more.begin(), more.end()); }

// Its formulas in a graph of their own, in which inputs[k] has slot k.
template <class Formula>
Formula with_slots(const Trace& trace, const Formula& formula, const Nodes& inputs) {
  const Nodes roots = roots_of(formula);
  const std::vector<bool> live = ir::live_nodes(trace.graph, roots);
  ir::Graph graph;
  Nodes slots(trace.slots);
  for (std::uint32_t k = 0; k < inputs.size(); ++k)
    if (live[inputs[k].index]) slots[trace.graph.node(inputs[k]).payload] = graph.input(k);
  const auto built = ir::transplant(trace.graph, roots, graph, slots);
  return with_roots(formula, std::move(graph), built);
}

void keep_file(const Trace& trace, ir::Graph& graph, ir::SourceLocation& where) {
  where.file = graph.intern_file(trace.graph.files()[where.file]);
}

}  // namespace

ir::Energy assemble(const Trace& trace, ir::NodeId density) {
  Nodes slots = trace.strain->nodes;
  append(slots, trace.parameter_nodes);
  for (const auto& input : trace.inputs) append(slots, input.nodes);
  ir::Energy result = with_slots(trace, declared(trace, density), slots);
  for (ir::Parameter& parameter : result.parameters) keep_file(trace, result.graph, parameter.where);
  for (ir::Input& input : result.inputs) keep_file(trace, result.graph, input.where);
  return result;
}

ir::Function assemble_function(const Trace& trace) {
  ir::Function function;
  function.name = trace.registered.name;
  function.file = trace.registered.file;
  function.outputs = trace.outputs;
  Nodes slots;
  for (const auto& [input, nodes] : trace.function_inputs) {
    function.inputs.push_back(input);
    append(slots, nodes);
  }
  // Slots are asked for in the order of declaration.
  std::map<std::uint64_t, Trace::DeclaredWeights> parameters;
  for (const auto& weights : trace.weight_arrays) parameters[trace.graph.node(weights.nodes.front()).payload] = weights;
  for (std::size_t k = 0; k < trace.parameters.size(); ++k) {
    const ir::Parameter& one = trace.parameters[k];
    parameters[trace.graph.node(trace.parameter_nodes[k]).payload] = {
        {one.name, one.unit, {one.default_value}, one.lower, one.upper, one.where}, {trace.parameter_nodes[k]}};
  }
  for (const auto& [slot, declared] : parameters) {
    function.parameters.push_back(declared.parameter);
    append(slots, declared.nodes);
  }
  ir::Function result = with_slots(trace, function, slots);
  for (auto& input : result.inputs) keep_file(trace, result.graph, input.where);
  for (auto& parameter : result.parameters) keep_file(trace, result.graph, parameter.where);
  for (auto& output : result.outputs) keep_file(trace, result.graph, output.where);
  return result;
}

}  // namespace proxima::dsl
