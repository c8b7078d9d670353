// Questions about what a graph computes: which nodes matter, what they cost, and the same formulas in another graph.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "compiler/ir/graph.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::ir {

// Entry i: whether node i is needed for one of `roots`.
std::vector<bool> live_nodes(const Graph& graph, std::span<const NodeId> roots);

// Entry i: whether node i depends on one of `sources`.
std::vector<bool> dependent_nodes(const Graph& graph, std::span<const NodeId> sources);

struct OperationCount {
  int operations = 0;  // live nodes other than constants and inputs; a loop's body counts as one trip
  int cost = 0;        // their cost by the operator table, in additions
};
OperationCount count_operations(const Graph& graph, std::span<const NodeId> roots);

// The same for one element of a kernel; what depends on uniform inputs alone is computed once a launch, not counted.
OperationCount count_operations(const Kernel& kernel);

// Builds `roots` of `source` anew in `target`, with inputs[slot] (nodes of `target`) in place of input number slot.
// Only live nodes are built, operands first; source locations are kept.
std::vector<NodeId> transplant(const Graph& source, std::span<const NodeId> roots, Graph& target,
                               std::span<const NodeId> inputs);

// The same with inputs kept as they are, and nodes of `target` in place of some of `source`: drops what `roots` do not
// need. Their new names are returned.
std::vector<NodeId> transplant(const Graph& source, std::span<const NodeId> roots, Graph& target,
                               const std::map<NodeId, NodeId>& replaced = {});

}  // namespace proxima::ir
