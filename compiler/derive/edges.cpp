#include "compiler/derive/edges.hpp"

#include <algorithm>
#include <array>

#include "compiler/ir/operators.hpp"

namespace proxima::derive {
namespace {

using ir::NodeId;
using ir::Op;

bool is_zero(const ir::Graph& graph, NodeId node) {
  return graph.is_constant(node, 0) || graph.is_constant(node, -0.0);
}

NodeId scaled_by_choice(ir::Graph& graph, NodeId factor, NodeId movement) {
  if (is_zero(graph, factor)) return graph.constant(0);
  if (graph.node(factor).op != Op::select) return graph.apply(Op::mul, std::array{factor, movement});
  const auto branches = graph.operands(factor);
  const NodeId condition = branches[0], a = branches[1], b = branches[2];  // the view ends when the graph grows
  const NodeId if_true = scaled_by_choice(graph, a, movement), if_false = scaled_by_choice(graph, b, movement);
  return graph.apply(Op::select, std::array{condition, if_true, if_false});
}

Edge edge_to(const ir::Graph& graph, NodeId operand, NodeId partial, bool made_by_rule) {
  Edge edge{.operand = operand, .factor = partial};
  if (!made_by_rule || graph.node(partial).op != Op::select) return edge;
  const auto branches = graph.operands(partial);
  if (is_zero(graph, branches[2]))
    return {.operand = operand, .factor = branches[1], .condition = branches[0], .taken = true};
  if (is_zero(graph, branches[1]))
    return {.operand = operand, .factor = branches[2], .condition = branches[0], .taken = false};
  edge.factor_chooses = true;
  return edge;
}

}  // namespace

std::vector<Edge> edges_of(ir::Graph& graph, NodeId node, const std::vector<bool>& needed) {
  const ir::Operator& row = ir::describe(graph.node(node).op);
  std::vector<Edge> edges;
  if (row.partial == nullptr) return edges;
  std::array<NodeId, 3> x;
  std::copy_n(graph.operands(node).begin(), row.arity, x.begin());

  for (int k = 0; k < row.arity; ++k) {
    const NodeId operand = x[static_cast<std::size_t>(k)];
    if (!needed[operand.index]) continue;
    const NodeId partial = row.partial(graph, node, x.data(), k);
    const bool made_by_rule = std::find(x.begin(), x.end(), partial) == x.end();  // not the other factor of a product
    const Edge edge = edge_to(graph, operand, partial, made_by_rule);
    if (is_zero(graph, edge.factor)) continue;
    if (!edges.empty() && edges.back().operand == operand && edges.back().factor == edge.factor && !edge.conditional())
      ++edges.back().multiplicity;
    else
      edges.push_back(edge);
  }
  return edges;
}

NodeId along(ir::Graph& graph, const Edge& edge, NodeId movement) {
  if (edge.multiplicity != 1) movement = graph.apply(Op::mul, std::array{graph.constant(edge.multiplicity), movement});
  if (edge.factor_chooses) return scaled_by_choice(graph, edge.factor, movement);
  return graph.apply(Op::mul, std::array{edge.factor, movement});
}

NodeId holds(ir::Graph& graph, const Edge& edge) {
  return edge.taken ? edge.condition : graph.apply(Op::logical_not, std::array{edge.condition});
}

}  // namespace proxima::derive
