#include "compiler/derive/edges.hpp"

#include <array>

#include "compiler/ir/operators.hpp"

namespace proxima::derive {
namespace {

using ir::NodeId;
using ir::Op;

bool is_zero(const ir::Graph& graph, NodeId node) {
  return graph.is_constant(node, 0) || graph.is_constant(node, -0.0);
}

NodeId scaled(ir::Graph& graph, NodeId factor, NodeId movement) {
  if (is_zero(graph, factor)) return graph.constant(0);
  if (graph.node(factor).op != Op::select) return graph.apply(Op::mul, std::array{factor, movement});
  const std::array<NodeId, 3> x = {graph.operands(factor)[0], graph.operands(factor)[1], graph.operands(factor)[2]};
  const NodeId if_true = scaled(graph, x[1], movement), if_false = scaled(graph, x[2], movement);
  return graph.apply(Op::select, std::array{x[0], if_true, if_false});
}

}  // namespace

std::vector<Edge> edges_of(ir::Graph& graph, NodeId node, const std::vector<bool>& needed) {
  const ir::Operator& row = ir::describe(graph.node(node).op);
  std::vector<Edge> edges;
  if (row.partial == nullptr) return edges;
  std::array<NodeId, 3> x;
  for (std::size_t k = 0; k < row.arity; ++k) x[k] = graph.operands(node)[k];

  for (int k = 0; k < row.arity; ++k) {
    const NodeId operand = x[static_cast<std::size_t>(k)];
    if (!needed[operand.index]) continue;
    Edge edge{operand, row.partial(graph, node, x.data(), k)};
    if (graph.node(edge.factor).op == Op::select) {
      const auto branches = graph.operands(edge.factor);
      const NodeId condition = branches[0], if_true = branches[1], if_false = branches[2];
      if (is_zero(graph, if_false))
        edge = {operand, if_true, 1, condition, true};
      else if (is_zero(graph, if_true))
        edge = {operand, if_false, 1, condition, false};
    }
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
  return scaled(graph, edge.factor, movement);
}

NodeId holds(ir::Graph& graph, const Edge& edge) {
  return edge.taken ? edge.condition : graph.apply(Op::logical_not, std::array{edge.condition});
}

}  // namespace proxima::derive
