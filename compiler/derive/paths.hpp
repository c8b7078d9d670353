// Which nodes a derivative has to visit. Internal to this room.
#pragma once

#include <span>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace proxima::derive {

// Entry i: whether node i is on a path from one of `sources` to one of `roots`.
std::vector<bool> nodes_between(const ir::Graph& graph, std::span<const ir::NodeId> sources,
                                std::span<const ir::NodeId> roots);

// The nodes whose movement moves the value of `node`. Usually its operands; but, by convention, a loop moves
// with nothing and the distance to a closest point only with its first end; and a composed matrix U diag(s) V^T with s
// and with the entries of the matrix whose U and V it takes, not with the bundle itself nor with the quotients that
// only its derivative needs.
std::vector<ir::NodeId> movers(const ir::Graph& graph, ir::NodeId node);

// The same as nodes_between, along movers: what a derivative by `sources` visits.
std::vector<bool> moving_nodes_between(const ir::Graph& graph, std::span<const ir::NodeId> sources,
                                       std::span<const ir::NodeId> roots);

}  // namespace proxima::derive
