// From one energy density: everything the runtime evaluates. Reverse and forward mode on the graph, no finite
// differences. Knows no target and no simulation.
#pragma once

#include <span>
#include <vector>

#include "compiler/ir/energy.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::derive {

// d output / d inputs[k], by one reverse sweep. `inputs` are nodes of `graph` (usually Op::input). An input that
// output does not depend on yields the constant 0.
std::vector<ir::NodeId> gradient(ir::Graph& graph, ir::NodeId output, std::span<const ir::NodeId> inputs);

// Directional derivatives of `outputs` when inputs[k] moves with velocity seeds[k], by one forward sweep.
std::vector<ir::NodeId> directional(ir::Graph& graph, std::span<const ir::NodeId> outputs,
                                    std::span<const ir::NodeId> inputs, std::span<const ir::NodeId> seeds);

// Linear tetrahedron kernels. Common input fields, in this order:
//   "positions"  nodal, 3        x_s, metres
//   "gradients"  element, 9      rest shape gradients of corners 1..3, row by row, 1/m (corner 0's is minus their sum)
//   "volume"     element, 1      rest volume, m^3
//   one field a parameter, 1     named "parameter:NAME"; uniform, or element where per_element[k] is set
// F = sum_s x_s (x) g_s.
// hessian_vector and pull_back have an extra field "direction" (nodal, 3) right after "positions"; dF = sum_s
// direction_s (x) g_s.
enum class Quantity {
  energy,          // -> "energy" 1: V Psi, J
  forces,          // -> "forces" 12: d(V Psi)/dx_s = V P g_s, N, corner-major (the gradient, not its negative)
  energy_forces,   // -> "energy" 1, "forces" 12
  hessian_vector,  // -> "forces" 12: the second derivative of V Psi applied to "direction"
  pull_back,       // -> "parameters" n: d/dtheta_k of V <P(F; theta), dF>
  state,           // -> "stress" 9 (first Piola-Kirchhoff, Pa, row by row), "density" 1 (J/m^3), for output files
};
ir::Kernel tetrahedron_kernel(const ir::Energy& energy, Quantity quantity, const std::vector<bool>& per_element);

// The same at the level of the deformation gradient, for checks and curves: input fields "F" (element, 9), "dF"
// (element, 9, hessian_vector and pull_back only) and the parameters (element); outputs "energy" 1, "stress" 9,
// "stress" 9 (hessian_vector: dP), "parameters" n.
ir::Kernel density_kernel(const ir::Energy& energy, Quantity quantity);

// Weight w(theta) of the projective-dynamics matrix, Pa: the mean of d2Psi/dF_ii2, i = 1..3, at F = 1, which is
// 2 mu + lambda for an isotropic material with Lame parameters mu, lambda. No mesh inputs; parameters are uniform;
// output "weight" 1 (the kernel has corners = 0 and is meant for the interpreter).
ir::Kernel rest_weight(const ir::Energy& energy);

// Whether the energy contains this parameter at all. Its derivative is 0 when not: a request for it deserves an error.
bool depends_on(const ir::Energy& energy, std::size_t parameter);

}  // namespace proxima::derive
