#include "compiler/dsl/checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/ir/analysis.hpp"

namespace proxima::dsl {
namespace {

// Parts of a decomposition from this one on have no derivative.
std::uint32_t first_vector(ir::Op decomposition) {
  return decomposition == ir::Op::svd || decomposition == ir::Op::eigen ? 3 : UINT32_MAX;
}

Place place_of(const Trace& trace, ir::SourceLocation where) {
  return {trace.graph.files()[where.file].c_str(), where.line};
}

Place definition(const Trace& trace) { return {trace.registered.file.c_str(), trace.registered.line}; }

bool depends(const Trace& trace, ir::NodeId root, std::span<const ir::NodeId> sources) {
  return ir::dependent_nodes(trace.graph, sources)[root.index];
}

void check_strain(Trace& trace, ir::NodeId density) {
  const std::string name = fmt::format("{} '{}'", noun(trace.registered.definition), trace.registered.name);
  if (!trace.strain)
    trace.note_mistake(definition(trace), fmt::format("{} does not depend on any strain measure, such as "
                                                      "deformation_gradient(), so it exerts no force",
                                                      name));
  else if (!depends(trace, density, trace.strain->nodes))
    trace.note_mistake(definition(trace), fmt::format("{} does not depend on its strain measure, {}, so it exerts no "
                                                      "force",
                                                      name, spelled(trace.strain->measure)));
}

void check_rate(Trace& trace, ir::NodeId density) {
  const std::string& name = trace.registered.name;
  const bool dissipation = trace.registered.definition == Definition::dissipation;
  const bool has_rate = trace.strain && !trace.strain->previous.empty();
  if (dissipation && !(has_rate && depends(trace, density, trace.strain->previous)))
    trace.note_mistake(definition(trace),
                       fmt::format("dissipation '{}' does not depend on the previous strain; write it "
                                   "with previous(F) or rate(F), or make it a PROXIMA_ENERGY",
                                   name));
  if (!dissipation && has_rate) {
    for (const auto& declared : trace.inputs)
      if (declared.input.kind == ir::InputKind::previous_strain)
        trace.note_mistake(place_of(trace, declared.input.where),
                           fmt::format("energy '{}' depends on the previous strain; a potential of rates is a "
                                       "PROXIMA_DISSIPATION, and what an element remembers a history(...)",
                                       name));
  }
}

void check_inputs(Trace& trace) {
  for (const auto& [input, nodes, updated] : trace.inputs) {
    const Place place = place_of(trace, input.where);
    if (input.kind == ir::InputKind::history && !updated)
      trace.note_mistake(place, fmt::format("history '{}' is never updated; write update(..., new_value) before the "
                                            "energy returns",
                                            input.name));
    if (!trace.strain) continue;
    if (input.kind == ir::InputKind::rest_length && trace.strain->measure != ir::Measure::edge_vector)
      trace.note_mistake(place, fmt::format("rest_length() is that of an edge, but this energy is of {} at {}",
                                            spelled(trace.strain->measure), text_of(trace.strain->place)));
    if (input.kind == ir::InputKind::rest_positions && 3 * trace.strain->stencil != input.components)
      trace.note_mistake(
          place, fmt::format("rest_positions<{}>() goes with node_positions<{}>(), but this energy is of {} at {}",
                             input.components / 3, input.components / 3,
                             trace.strain->stencil == 0 ? spelled(trace.strain->measure)
                                                        : fmt::format("node_positions<{}>()", trace.strain->stencil),
                             text_of(trace.strain->place)));
  }
}

// No root may depend on `sources` through U, V or eigenvectors.
void check_vectors(Trace& trace, std::span<const ir::NodeId> roots, std::span<const ir::NodeId> sources) {
  const std::vector<bool> live = ir::live_nodes(trace.graph, roots);
  const std::vector<bool> moves = ir::dependent_nodes(trace.graph, sources);
  for (std::uint32_t i = 0; i < trace.graph.size(); ++i) {
    const ir::Node& node = trace.graph.node({i});
    if (!live[i] || !moves[i] || node.op != ir::Op::part) continue;
    const ir::Op decomposition = trace.graph.node(trace.graph.operands({i})[0]).op;
    if (node.payload < first_vector(decomposition)) continue;
    trace.note_mistake(
        place_of(trace, node.where),
        fmt::format("{} of this decomposition are used in {} '{}', but have no derivative where two values "
                    "are equal; use the values alone, polar_rotation(A), or compose(...)",
                    decomposition == ir::Op::svd ? "U or V" : "the eigenvectors", noun(trace.registered.definition),
                    trace.registered.name));
  }
}

void check_weights(Trace& trace) {
  if (!trace.strain) return;
  for (const auto& [density, projection, place] : trace.projections)
    if (depends(trace, projection.weight, trace.strain->nodes))
      trace.note_mistake(place, "the weight of a projection must not depend on the strain measure");
}

}  // namespace

void check_dependencies(Trace& trace, ir::NodeId density) {
  check_inputs(trace);
  check_strain(trace, density);
  check_rate(trace, density);
  check_weights(trace);
  if (!trace.strain) return;
  std::vector<ir::NodeId> roots{density};
  for (const auto& declared : trace.projections)
    roots.insert(roots.end(), declared.projection.closest.begin(), declared.projection.closest.end());
  check_vectors(trace, roots, trace.strain->nodes);
}

void check_function(Trace& trace) {
  if (trace.outputs.empty())
    trace.note_mistake(
        definition(trace),
        fmt::format("function '{}' has no output; end it with output(\"name\", value)", trace.registered.name));
  std::vector<ir::NodeId> roots, sources;
  for (const auto& output : trace.outputs) roots.insert(roots.end(), output.roots.begin(), output.roots.end());
  const std::vector<bool> live = ir::live_nodes(trace.graph, roots);
  const auto check_use = [&](const char* kind, const std::string& name, ir::SourceLocation where,
                             std::span<const ir::NodeId> nodes) {
    sources.insert(sources.end(), nodes.begin(), nodes.end());
    if (std::ranges::none_of(nodes, [&](ir::NodeId node) { return live[node.index]; }))
      trace.note_mistake(place_of(trace, where),
                         fmt::format("{} '{}' reaches no output of function '{}'", kind, name, trace.registered.name));
  };
  for (const auto& [input, nodes] : trace.function_inputs) check_use("input", input.name, input.where, nodes);
  for (const auto& [weights, nodes] : trace.weight_arrays) check_use("weights", weights.name, weights.where, nodes);
  for (std::size_t k = 0; k < trace.parameters.size(); ++k)
    check_use("parameter", trace.parameters[k].name, trace.parameters[k].where, {&trace.parameter_nodes[k], 1});
  check_vectors(trace, roots, sources);
}

}  // namespace proxima::dsl
