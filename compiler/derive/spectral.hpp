// Derivatives of singular values, eigenvalues, rotations and of matrices composed of them, and the pair quotients that
// make them exact at equal stretches. Sources: for the adjoint of an isotropic function, numerics.md section 4;
// Papadopoulo and Lourakis, Estimating the Jacobian of the singular value decomposition, 2000; for the rotation,
// McAdams et al., Efficient elasticity for character skinning with contact and collisions, 2011, appendix.
//
// What has no derivative here: U, V and Q themselves, since they do not have one where stretches are equal, which is
// the rest state. An energy is a function of the values alone and never needs it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "compiler/ir/expression.hpp"

namespace proxima::derive {

// U diag(s) V^T of the bundle `svd`, for values s that are functions of its singular values (of any others also, which
// then count as given): an svd_compose bundle with the pair quotients it needs for its derivative.
// For the pairs (0,1), (0,2), (1,2): minus = (s_i - s_j)/(sigma_i - sigma_j) as a divided difference when s is
// symmetric (s_i and s_j change places with sigma_i and sigma_j), which is probed; plus = (s_i + s_j)/(sigma_i +
// sigma_j) likewise when s_i becomes -s_j where sigma_i becomes -sigma_j and the reverse; else the plain quotients,
// where minus is replaced by its limit at gaps below 1e-4 of the values.
ir::NodeId compose(ir::Graph& graph, ir::NodeId svd, std::span<const ir::NodeId> s);

// Q diag(l) Q^T of the bundle `eigen`, likewise: an eigen_compose bundle.
ir::NodeId eigen_compose(ir::Graph& graph, ir::NodeId eigen, std::span<const ir::NodeId> l);

// A linear map of 3x3 matrices that isotropy makes simple in the frame of a decomposition, as a Hessian or its inverse:
// X -> U [D b on the diagonal; minus times the symmetric and plus times the antisymmetric part of the pairs (0,1),
// (0,2), (1,2)] V^T with B = U^T X V and b its diagonal.
struct FrameMap {
  std::array<std::array<ir::Expression, 3>, 3> diagonal;  // D
  std::array<ir::Expression, 3> minus, plus;
};
std::vector<ir::NodeId> apply_in_frame(ir::Graph& graph, ir::NodeId svd, const FrameMap& map,
                                       std::span<const ir::NodeId> X);

// Internal to this room: how bundles move. A missing entry is structurally zero.
using Movement = std::optional<ir::Expression>;

// The adjoints of movers(graph, bundle) that the adjoints of its parts give.
std::vector<Movement> pull_through(ir::Graph& graph, ir::NodeId bundle, const std::vector<Movement>& part_adjoints);

// How the parts move when movers(graph, bundle) move.
std::vector<Movement> push_through(ir::Graph& graph, ir::NodeId bundle, const std::vector<Movement>& movements);

// Throws the Error for a part without a derivative: U, V, Q.
void check_has_derivative(const ir::Graph& graph, ir::NodeId bundle, std::size_t part);

}  // namespace proxima::derive
