// |H| v of a symmetric matrix of any size, as a loop.
#pragma once

#include <span>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace proxima::derive {

// |H| v, where |H| has the eigenvectors of H and the magnitudes of its eigenvalues. `H`: n x n nodes, symmetric; v: n.
//
// One-sided Jacobi rotations (Hestenes, Inversion of matrices by biorthogonalization and related results, 1958) turn
// the columns of H until they are orthogonal: H Q = G, so H^2 = G G^T and |H| = sum over columns of g g^T/|g|. Neither
// Q nor the signs of the eigenvalues are needed. Each trip of the loop turns n/2 disjoint pairs of columns and moves
// the columns on by one place of a round robin, so the body is short and all pairs have met after n trips (n - 1 for
// even n). A lane is done when no pair of a whole round was further from orthogonal than rounding before it was turned,
// after 20 rounds at the latest; it takes 4 to 10.
std::vector<ir::NodeId> absolute_value_product(ir::Graph& graph, std::span<const ir::NodeId> H,
                                               std::span<const ir::NodeId> v);

}  // namespace proxima::derive
