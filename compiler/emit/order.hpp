// In which order to compute the nodes of a graph, so that few values are alive at a time. Internal to this room.
#pragma once

#include <span>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace proxima::emit {

struct Order {
  std::vector<ir::NodeId> nodes;  // operands before users; no leaves, and no parts: they come with their bundle
  int most_alive = 0;             // values alive at the worst point, besides the given ones
};

// Everything that `roots` need besides what is `given` (entry i: node i is known already).
Order best_order(const ir::Graph& graph, std::span<const ir::NodeId> roots, const std::vector<bool>& given,
                 int registers);

// Depth first in any case, if it is what keeps the fewest values or not.
Order depth_first_order(const ir::Graph& graph, std::span<const ir::NodeId> roots, const std::vector<bool>& given,
                        int registers);

// The bundle of a part, any other node itself.
ir::NodeId unit_of(const ir::Graph& graph, ir::NodeId id);

}  // namespace proxima::emit
