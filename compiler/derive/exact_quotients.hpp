// Compositions as the language writes them, made ready to be differentiated. Internal to this room.
#pragma once

#include <span>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace proxima::derive {

// `roots` rebuilt in their own graph: every svd_compose and eigen_compose whose minus quotients are plain ones,
// (s_i - s_j)/(sigma_i - sigma_j), which are lost where two values are equal, gets those of compose and eigen_compose
// (spectral.hpp) instead. Values do not change. Without such a node the roots are returned as they are.
std::vector<ir::NodeId> with_exact_quotients(ir::Graph& graph, std::span<const ir::NodeId> roots);

}  // namespace proxima::derive
