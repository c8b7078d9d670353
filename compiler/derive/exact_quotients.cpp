#include "compiler/derive/exact_quotients.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "compiler/derive/pair_quotients.hpp"
#include "compiler/derive/spectral.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::derive {
namespace {

using ir::NodeId;
using ir::Op;

constexpr std::size_t first_minus = 4;  // operands: the bundle, three values, the quotients

// Whether `node` is a division by the difference of values i and j of the bundle.
bool is_plain(const ir::Graph& graph, NodeId node, NodeId bundle, std::size_t i, std::size_t j) {
  const auto is_part = [&](NodeId part, std::size_t k) {
    return graph.node(part).op == Op::part && graph.node(part).payload == k && graph.operands(part)[0] == bundle;
  };
  if (graph.node(node).op != Op::div) return false;
  const NodeId gap = graph.operands(node)[1];
  return graph.node(gap).op == Op::sub && is_part(graph.operands(gap)[0], i) && is_part(graph.operands(gap)[1], j);
}

bool has_plain_quotients(const ir::Graph& graph, NodeId id) {
  const Op op = graph.node(id).op;
  if (op != Op::svd_compose && op != Op::eigen_compose) return false;
  const auto operands = graph.operands(id);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (!is_plain(graph, operands[first_minus + p], operands[0], pairs[p].first, pairs[p].second)) return false;
  return true;
}

}  // namespace

std::vector<NodeId> with_exact_quotients(ir::Graph& graph, std::span<const NodeId> roots) {
  const std::vector<bool> live = ir::live_nodes(graph, roots);
  std::vector<NodeId> renamed(live.size());
  for (std::uint32_t i = 0; i < live.size(); ++i) {
    if (!live[i]) continue;
    const NodeId id{i};
    std::vector<NodeId> operands;
    for (NodeId operand : graph.operands(id)) operands.push_back(renamed[operand.index]);
    if (has_plain_quotients(graph, id)) {
      const std::array values = {operands[1], operands[2], operands[3]};
      renamed[i] = graph.node(id).op == Op::svd_compose ? compose(graph, operands[0], values)
                                                        : eigen_compose(graph, operands[0], values);
      continue;
    }
    const bool same = std::ranges::equal(operands, graph.operands(id));
    renamed[i] = same ? id : graph.apply_like(graph, id, operands, graph.node(id).where);
  }
  std::vector<NodeId> results;
  results.reserve(roots.size());
  for (NodeId root : roots) results.push_back(renamed[root.index]);
  return results;
}

}  // namespace proxima::derive
