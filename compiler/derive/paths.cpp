#include "compiler/derive/paths.hpp"

#include "compiler/ir/analysis.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::derive {

using ir::NodeId;
using ir::Op;

std::vector<bool> nodes_between(const ir::Graph& graph, std::span<const NodeId> sources,
                                std::span<const NodeId> roots) {
  std::vector<bool> between = ir::dependent_nodes(graph, sources);
  const std::vector<bool> live = ir::live_nodes(graph, roots);
  for (std::size_t i = 0; i < between.size(); ++i) between[i] = between[i] && live[i];
  return between;
}

std::vector<NodeId> movers(const ir::Graph& graph, NodeId node) {
  const auto operands = graph.operands(node);
  const Op op = graph.node(node).op;
  if (op == Op::loop) return {};
  if (op == Op::gap) return {operands[0]};
  if (op != Op::svd_compose && op != Op::eigen_compose) return {operands.begin(), operands.end()};
  const auto matrix = graph.operands(operands[0]);
  std::vector<NodeId> result(matrix.begin(), matrix.end());
  result.insert(result.end(), operands.begin() + 1, operands.begin() + 4);
  return result;
}

std::vector<bool> moving_nodes_between(const ir::Graph& graph, std::span<const NodeId> sources,
                                       std::span<const NodeId> roots) {
  std::vector<bool> moving(graph.size()), live(graph.size());
  for (NodeId source : sources) moving[source.index] = true;
  for (std::uint32_t i = 0; i < graph.size(); ++i)
    for (NodeId mover : movers(graph, {i}))
      if (moving[mover.index]) moving[i] = true;
  for (NodeId root : roots) live[root.index] = true;
  for (auto i = static_cast<std::uint32_t>(graph.size()); i-- > 0;)
    if (live[i] && moving[i])
      for (NodeId mover : movers(graph, {i})) live[mover.index] = true;
  for (std::size_t i = 0; i < moving.size(); ++i) moving[i] = moving[i] && live[i];
  return moving;
}

}  // namespace proxima::derive
