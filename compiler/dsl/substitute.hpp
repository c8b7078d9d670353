// A formula with other nodes in place of some of its own. Internal to this room.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace proxima::dsl {

// Rebuilds `roots` in their own graph with replacements[n] in the place of node n; nodes that depend on none of those
// stay as they are.
std::vector<ir::NodeId> substitute(ir::Graph& graph, std::span<const ir::NodeId> roots,
                                   const std::map<ir::NodeId, ir::NodeId>& replacements);

}  // namespace proxima::dsl
