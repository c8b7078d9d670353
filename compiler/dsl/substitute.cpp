#include "compiler/dsl/substitute.hpp"

#include <algorithm>
#include <cstdint>

#include "compiler/ir/analysis.hpp"

namespace proxima::dsl {

std::vector<ir::NodeId> substitute(ir::Graph& graph, std::span<const ir::NodeId> roots,
                                   const std::map<ir::NodeId, ir::NodeId>& replacements) {
  const std::vector<bool> live = ir::live_nodes(graph, roots);
  std::vector<ir::NodeId> renamed(live.size());
  for (std::uint32_t i = 0; i < live.size(); ++i) {
    if (!live[i]) continue;
    const ir::NodeId id{i};
    renamed[i] = id;
    if (const auto found = replacements.find(id); found != replacements.end()) {
      renamed[i] = found->second;
      continue;
    }
    std::vector<ir::NodeId> operands;
    for (ir::NodeId operand : graph.operands(id)) operands.push_back(renamed[operand.index]);
    if (!std::ranges::equal(operands, graph.operands(id)))
      renamed[i] = graph.apply_like(graph, id, operands, graph.node(id).where);
  }
  std::vector<ir::NodeId> results;
  for (ir::NodeId root : roots) results.push_back(renamed[root.index]);
  return results;
}

}  // namespace proxima::dsl
