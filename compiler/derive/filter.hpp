// Products with Hessians made positive semidefinite, for Newton steps that must descend.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/ir/energy.hpp"

namespace proxima::derive {

// What becomes of an eigenvalue l of the strain-level Hessian, d2 Psi by the components of the strain measure.
enum class Filter : std::uint8_t {
  clamp,     // max(l, 0): the nearest positive semidefinite matrix
  absolute,  // |l| (Chen et al., Stabler Neo-Hookean simulation: absolute eigenvalue filtering, 2024)
};

// The filtered Hessian of the density times `direction`, one node a component of the strain measure. `inputs`: nodes in
// place of the energy's inputs, slot by slot (the strain first); `direction`: one node a component of the strain.
//
// An isotropic energy of a 3x3 deformation gradient (principal_form) has its eigensystem in closed form but for the 3x3
// matrix of second derivatives by the stretches: the pair quotients are the other six eigenvalues (Smith, de Goes and
// Kim, Analytic eigensystems for isotropic distortion energies, 2019). For others the matrix is assembled, a column by
// each component, and its absolute value taken (matrix_absolute).
std::vector<ir::NodeId> filtered_hessian_vector(ir::Graph& graph, const ir::Energy& energy, Filter filter,
                                                std::span<const ir::NodeId> inputs,
                                                std::span<const ir::NodeId> direction);

}  // namespace proxima::derive
