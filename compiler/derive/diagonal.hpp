// A formula of a 3x3 matrix at a diagonal one. Internal to this room.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace proxima::derive {

// `roots` of `source` built in `target` with inputs 0 to 8 replaced by the matrix diag(diagonal), row by row, and input
// 9 + k by rest[k]. What the zeros make zero is dropped, including 0 * x, whatever x is; decompositions of diagonal
// matrices are read off: the values in the order in which they stand (not by size), vectors and rotation the identity.
std::vector<ir::NodeId> at_diagonal(const ir::Graph& source, std::span<const ir::NodeId> roots, ir::Graph& target,
                                    std::array<ir::NodeId, 3> diagonal, std::span<const ir::NodeId> rest);

}  // namespace proxima::derive
