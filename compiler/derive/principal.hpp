// Isotropic, frame-indifferent energies as functions of the principal stretches: recognised, whatever they are written
// with.
#pragma once

#include <optional>

#include "compiler/ir/energy.hpp"

namespace proxima::derive {

// psi(sigma_1, sigma_2, sigma_3; the rest), J/m^3, with Psi(F) = psi of the singular values of F, where
// sigma_1 >= sigma_2 >= |sigma_3| and sigma_3 has the sign of det F. As a formula psi is symmetric, so it can be
// evaluated at any order; at negative values it means what Psi means only for sigma_3 (or where it is even in pairs of
// signs). Inputs of `graph`: slots 0 to 2 the stretches; slot 3 + k is slot 9 + k of the energy (parameters, then other
// inputs).
struct PrincipalForm {
  ir::Graph graph;
  ir::NodeId psi;

  static constexpr std::uint32_t stretches = 3;
};

// The principal form of an energy of a 3x3 deformation gradient, by putting F = diag(sigma) into its graph; products
// with the zeros off the diagonal are dropped. nullopt when the energy has none: another measure of deformation; values
// at 36 sampled F = U diag(sigma) V^T differ from psi (not isotropic, not frame indifferent); psi is not symmetric as a
// formula (an energy of the largest stretch alone); or a decomposition is left in it, so that it could not be
// differentiated.
std::optional<PrincipalForm> principal_form(const ir::Energy& energy);

}  // namespace proxima::derive
