// Which nodes a derivative has to visit. Internal to this room.
#pragma once

#include <span>
#include <vector>

#include "compiler/ir/analysis.hpp"

namespace proxima::derive {

// Entry i: whether node i is on a path from one of `sources` to one of `roots`.
inline std::vector<bool> nodes_between(const ir::Graph& graph, std::span<const ir::NodeId> sources,
                                       std::span<const ir::NodeId> roots) {
  std::vector<bool> between = ir::dependent_nodes(graph, sources);
  const std::vector<bool> live = ir::live_nodes(graph, roots);
  for (std::size_t i = 0; i < between.size(); ++i) between[i] = between[i] && live[i];
  return between;
}

}  // namespace proxima::derive
