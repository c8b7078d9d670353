// The quotients of pairs of principal values that derivatives of isotropic functions hold. Internal to this room.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace proxima::derive {

inline constexpr std::array<std::pair<std::size_t, std::size_t>, 3> pairs = {{{0, 1}, {0, 2}, {1, 2}}};

// (s_i - s_j)/(x_i - x_j) for each of `pairs`; see compose in spectral.hpp.
std::vector<ir::NodeId> minus_quotients(ir::Graph& graph, std::span<const ir::NodeId> s, std::span<const ir::NodeId> x);

// (s_i + s_j)/(x_i + x_j).
std::vector<ir::NodeId> plus_quotients(ir::Graph& graph, std::span<const ir::NodeId> s, std::span<const ir::NodeId> x);

}  // namespace proxima::derive
