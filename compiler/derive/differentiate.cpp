// Reverse and forward mode. What makes them safe around select: a value that only a branch uses is worth something only
// where that branch is taken, and so is its adjoint. The reverse sweep therefore knows for every node when it is
// active, lets adjoints be whatever they are where it is not (inf, NaN), and puts one select where such an adjoint
// reaches a node that is active more often. No product with a zero has to suppress anything, so 0 * NaN cannot arise.
#include <array>
#include <optional>

#include "compiler/derive/derive.hpp"
#include "compiler/derive/edges.hpp"
#include "compiler/derive/paths.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::derive {
namespace {

using ir::Graph;
using ir::NodeId;
using ir::Op;

constexpr NodeId always{};  // as a condition
constexpr NodeId none{};    // as an adjoint or tangent: structurally zero

NodeId binary(Graph& graph, Op op, NodeId a, NodeId b) { return graph.apply(op, std::array{a, b}); }

NodeId sum(Graph& graph, NodeId a, NodeId b) {
  if (a == none) return b;
  if (b == none) return a;
  return binary(graph, Op::add, a, b);
}

NodeId both(Graph& graph, NodeId a, NodeId b) {
  if (a == always) return b;
  if (b == always) return a;
  return binary(graph, Op::logical_and, a, b);
}

bool opposite(const Graph& graph, NodeId a, NodeId b) {
  return (graph.node(a).op == Op::logical_not && graph.operands(a)[0] == b) ||
         (graph.node(b).op == Op::logical_not && graph.operands(b)[0] == a);
}

// a or b, with the cases simplified that a value used in both branches of a select gives rise to:
// c or not c; p and c or p and not c; p or p and c.
NodeId either(Graph& graph, NodeId a, NodeId b) {
  if (a == always || b == always || opposite(graph, a, b)) return always;
  if (a == b) return a;
  const auto terms = [&](NodeId x) {
    return graph.node(x).op == Op::logical_and ? std::array{graph.operands(x)[0], graph.operands(x)[1]}
                                               : std::array{x, x};
  };
  const auto of_a = terms(a), of_b = terms(b);
  for (std::size_t i = 0; i < 2; ++i) {
    if (of_b[i] == a) return a;
    if (of_a[i] == b) return b;
    for (std::size_t j = 0; j < 2; ++j)
      if (of_a[i] == of_b[j] && opposite(graph, of_a[1 - i], of_b[1 - j])) return of_a[i];
  }
  return binary(graph, Op::logical_or, a, b);
}

}  // namespace

std::vector<NodeId> gradient(Graph& graph, NodeId output, std::span<const NodeId> inputs) {
  const std::vector<bool> needed = nodes_between(graph, inputs, {&output, 1});

  // When each node matters: the output always, an operand when a user of it matters and the edge is taken.
  std::vector<std::vector<Edge>> edges(needed.size());
  std::vector<std::optional<NodeId>> active(needed.size());
  if (needed[output.index]) active[output.index] = always;
  for (std::size_t i = needed.size(); i-- > 0;) {
    if (!needed[i] || !active[i]) continue;
    edges[i] = edges_of(graph, {static_cast<std::uint32_t>(i)}, needed);
    for (const Edge& edge : edges[i]) {
      const NodeId here = edge.conditional() ? both(graph, *active[i], holds(graph, edge)) : *active[i];
      auto& target = active[edge.operand.index];
      target = target ? either(graph, *target, here) : here;
    }
  }
  for (NodeId input : inputs)
    if (needed[input.index]) active[input.index] = always;

  std::vector<NodeId> adjoint(needed.size(), none);
  if (needed[output.index]) adjoint[output.index] = graph.constant(1);
  for (std::size_t i = needed.size(); i-- > 0;) {
    if (adjoint[i] == none) continue;
    for (const Edge& edge : edges[i]) {
      const NodeId here = edge.conditional() ? both(graph, *active[i], holds(graph, edge)) : *active[i];
      NodeId contribution = along(graph, edge, adjoint[i]);
      if (here != *active[edge.operand.index])
        contribution = graph.apply(Op::select, std::array{here, contribution, graph.constant(0)});
      adjoint[edge.operand.index] = sum(graph, adjoint[edge.operand.index], contribution);
    }
  }

  std::vector<NodeId> result;
  for (NodeId input : inputs) result.push_back(adjoint[input.index] == none ? graph.constant(0) : adjoint[input.index]);
  return result;
}

std::vector<NodeId> directional(Graph& graph, std::span<const NodeId> outputs, std::span<const NodeId> inputs,
                                std::span<const NodeId> seeds) {
  const std::vector<bool> needed = nodes_between(graph, inputs, outputs);
  std::vector<NodeId> tangent(needed.size(), none);
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (!graph.is_constant(seeds[k], 0)) tangent[inputs[k].index] = seeds[k];

  std::vector<bool> moving(needed.size());
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const NodeId node{static_cast<std::uint32_t>(i)};
    if (needed[i] && tangent[i] == none) {
      NodeId condition = none, if_taken = none, if_not = none;  // of the edges with a condition: a node has one at most
      for (const Edge& edge : edges_of(graph, node, moving)) {
        NodeId& part = !edge.conditional() ? tangent[i] : edge.taken ? if_taken : if_not;
        part = sum(graph, part, along(graph, edge, tangent[edge.operand.index]));
        if (edge.conditional()) condition = edge.condition;
      }
      if (condition != none) {
        const auto or_zero = [&](NodeId part) { return part == none ? graph.constant(0) : part; };
        const std::array branches = {condition, or_zero(if_taken), or_zero(if_not)};
        tangent[i] = sum(graph, tangent[i], graph.apply(Op::select, branches));
      }
    }
    moving[i] = tangent[i] != none;
  }

  std::vector<NodeId> result;
  for (NodeId output : outputs)
    result.push_back(tangent[output.index] == none ? graph.constant(0) : tangent[output.index]);
  return result;
}

}  // namespace proxima::derive
