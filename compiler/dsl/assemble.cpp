#include "compiler/dsl/assemble.hpp"

#include <algorithm>

#include "compiler/ir/analysis.hpp"

namespace proxima::dsl {
namespace {

// What is declared, with nodes of the trace's graph.
ir::Energy declared(const Trace& trace, ir::NodeId density) {
  ir::Energy energy;
  energy.name = trace.registered.name;
  energy.file = trace.registered.file;
  energy.density = density;
  energy.measure = trace.strain->measure;
  energy.stencil = trace.strain->stencil;
  energy.dissipation = trace.registered.dissipation;
  energy.parameters = trace.parameters;
  for (const auto& input : trace.inputs) energy.inputs.push_back(input.input);
  const auto whole = std::ranges::find(trace.projections, density, &Trace::DeclaredProjection::density);
  if (whole != trace.projections.end()) energy.projection = whole->projection;
  return energy;
}

}  // namespace

ir::Energy assemble(const Trace& trace, ir::NodeId density) {
  const ir::Energy energy = declared(trace, density);
  const std::vector<ir::NodeId> roots = roots_of(energy);
  const std::vector<bool> live = ir::live_nodes(trace.graph, roots);

  ir::Graph graph;
  std::vector<ir::NodeId> slots(trace.slots);
  std::uint32_t next = 0;
  const auto number = [&](std::span<const ir::NodeId> nodes) {
    for (ir::NodeId node : nodes) {
      if (live[node.index]) slots[trace.graph.node(node).payload] = graph.input(next);
      ++next;
    }
  };
  number(trace.strain->nodes);
  number(trace.parameter_nodes);
  for (const auto& input : trace.inputs) number(input.nodes);

  const auto built = ir::transplant(trace.graph, roots, graph, slots);
  ir::Energy result = with_roots(energy, std::move(graph), built);
  const auto keep_file = [&](ir::SourceLocation& where) {
    where.file = result.graph.intern_file(trace.graph.files()[where.file]);
  };
  for (ir::Parameter& parameter : result.parameters) keep_file(parameter.where);
  for (ir::Input& input : result.inputs) keep_file(input.where);
  return result;
}

}  // namespace proxima::dsl
