// Rewriting of one application into an equal, simpler one. Only identities that hold in IEEE arithmetic for every
// operand, signed zeros, infinities and subnormals included (the sign and payload of a NaN aside): x*1, x/1, x-0,
// x+(-0), but neither x+0 (it turns -0 into 0) nor 0*x (NaN and infinities). Nothing is reassociated.
#pragma once

#include <optional>
#include <span>

#include "compiler/ir/graph.hpp"

namespace proxima::ir {

// The node that equals `op` of `operands`, or nothing when the application must be kept as it is.
std::optional<NodeId> fold(Graph& graph, Op op, std::span<const NodeId> operands, SourceLocation where);

}  // namespace proxima::ir
