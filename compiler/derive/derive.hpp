// From one energy density: everything the runtime evaluates. Reverse and forward mode on the graph, no finite
// differences. Knows no target and no simulation. Local steps are in local_step.hpp.
#pragma once

#include <span>
#include <string>
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

// What a kernel computes. U is the energy of one quadrature point: the rest volume V of the point times the density Psi
// (surfaces: the rest area; edges and stencils: Psi alone). An energy of dissipation stands for h R, h the time step.
enum class Quantity {
  energy,                   // -> "energy" 1: U, J
  forces,                   // -> "forces" 3 a corner: dU/dx_s, N, corner-major (the gradient, not its negative)
  energy_forces,            // -> "energy" 1, "forces"
  hessian_vector,           // -> "forces": the second derivative of U applied to "direction"
  hessian_vector_clamped,   // -> "forces": the same, negative eigenvalues of d2Psi/dstrain2 replaced by 0 (filter.hpp)
  hessian_vector_absolute,  // -> "forces": the same, replaced by their magnitude
  hessian,         // -> "hessian" n (n + 1)/2: d2U/dstrain2 by the n strain components, upper triangle row by row
  pull_back,       // -> "parameters", one each: d/dtheta_k of the rate of U along "direction"; then for each direction
                   //    field "direction:NAME" 3: the same by its components. An output without components is left out
  rest_pull_back,  // -> "rest" 3 a corner: the same by the rest positions of the corners
  carried_pull_back,  // -> "previous" 3 a corner: the same by the previous positions, if the energy depends on the
                      //    previous strain; then for each history "history:NAME": the same by the value it enters with
  state,           // -> "stress": dPsi/dstrain, as many as the measure has (first Piola-Kirchhoff stress row by row, Pa
                   //    or N/m; N for edges and stencils), and "density" 1: Psi; for output files
  history_update,  // -> for each history "history:NAME": its values after a step that ends at "positions"
  history_pull_back,  // -> its adjoint: "positions" 3 a corner, then as far as the energy has them "previous",
                      //    "parameters", "direction:NAME" and "history:NAME" (the values before the step): the
                      //    derivatives of the sum of the updated values times the input fields "history_bar:NAME",
                      //    which come last
};

// Linear and trilinear elements: F = sum_s x_s (x) g_s, 3 x dimension, with rest shape gradients g_s. One item of a
// kernel is one quadrature point of an element (all but hexahedra have one). tetrahedron {4, 3}, hexahedron {8, 3},
// triangle {3, 2}; edge {2, 1}, stencil of n nodes {n, 0}: an edge or stencil has no gradients.
struct Shape {
  std::uint32_t corners;
  std::uint32_t dimension;
  // Whether corner 0 and the others are joined by `dimension` straight edges that span the element.
  bool simplex() const { return corners == dimension + 1; }
};

// Input fields, in this order, those in brackets only where the quantity or the energy needs them:
//   "positions"      nodal, 3       x_s, m
//   ["direction"     nodal, 3       the way in which positions move: hessian_vector* and the pull-backs]
//   ["previous"      nodal, 3       positions at the end of the previous step, m]
//   ["gradients"     element, (corners - 1) * dimension   g_s of corners 1 on, row by row, 1/m; corner 0's is minus
//   their
//                    sum; surfaces: in a tangent frame
//    "volume"        element, 1     of the quadrature point at rest, m^3, m^2: both for solids and surfaces]
//   ["time_step"     uniform, 1     s]
//   "parameter:NAME" 1 each         uniform, or element where per_element[k] is set
//   "direction:NAME" element, 3     of surfaces: along the tangent frame and the normal
//   "history:NAME"   element, as many as it has
//   ["rest_length"   element, 1     m]
//   ["rest_positions" element, 3 a corner, m]
// rest_pull_back computes the rest geometry itself and has, in the place of gradients and volume,
//   "rest"           nodal, 3       rest positions of the corners, m
//   ["shape_gradients" element, (corners - 1) * dimension  by the element's own coordinates, of corners 1 on, row by
//   row
//    "quadrature_weight" element, 1 both only for shapes that are no simplex]
// and no rest_length or rest_positions. The frame of a surface then has its first tangent along x_1 - x_0 at rest (of
// an element that is no simplex: along the first coordinate), and the components of direction fields are held fixed in
// it. Throws Error when the energy's measure does not exist on the shape.
ir::Kernel element_kernel(const ir::Energy& energy, Quantity quantity, Shape shape,
                          const std::vector<bool>& per_element);

// The same at the level of the strain measure, for checks, curves and local steps; n = energy.strain_components().
// Input fields, all of element access:
//   "strain" n; ["strain_direction" n]; ["previous" n: the previous strain]; ["time_step" 1]; "parameter:NAME" 1;
//   "direction:NAME" 3; "history:NAME"; ["rest_length" 1]; ["rest_positions" 3 a node]
// Outputs as above for a volume of 1, with "stress" n in the place of "forces" and "previous" n; no rest_pull_back.
ir::Kernel strain_kernel(const ir::Energy& energy, Quantity quantity);

// The kernels' field for a parameter or a further input: "parameter:mu", "direction:fibre", "history:memory",
// "previous", "time_step", "rest_length", "rest_positions".
std::string field_name(const ir::Parameter& parameter);
std::string field_name(const ir::Input& input);

// Whether the energy contains this parameter at all. Its derivative is 0 when not: a request for it deserves an error.
bool depends_on(const ir::Energy& energy, std::size_t parameter);

// Weight w(theta) of the projective-dynamics matrix, in the density's unit over that of the squared strain: that of the
// projection of a projective energy; of others the mean curvature along the axes at rest. Solids and surfaces: the mean
// of d2Psi/dF_ii2 at F = 1 (of a solid 2 mu + lambda for Lame parameters mu, lambda). Edges: along the edge, at its
// rest length. Stencils: over all coordinates, at the rest positions. The previous strain is at rest, too; an energy of
// dissipation counts as h R.
//
// Input fields, uniform (the kernel has corners = 0 and is meant for the interpreter): as strain_kernel's from
// "time_step" on; edges and stencils always have "rest_length" or "rest_positions", last if the energy does not take
// it. The gradient throws Error for a parameter inside a matrix that the energy decomposes, and for one that moves a
// closest point in an energy that has other terms besides.
ir::Kernel rest_weight(const ir::Energy& energy);           // -> "weight" 1
ir::Kernel rest_weight_gradient(const ir::Energy& energy);  // -> "weight" 1, "parameters": d weight / d theta_k

// Damping by stiffness (Rayleigh's) of an energy, as a potential of dissipation:
//   R = beta/2 D : C : D,   D = (F^T F - F_n^T F_n)/(2 h),   C = d2Psi/dF2 at F = 1,
// whose forces are -beta K v for small motions, K the stiffness matrix at rest, and which no rotation changes: a body
// that spins is not slowed. Of an edge D is the rate of (l^2 - L^2)/(2 L), C the curvature along it at its rest length
// L. C is for the parameters' present values, histories as at the start and previous strain at rest. The parameters are
// the energy's and, last, beta (s) by the name rayleigh_stiffness. Throws Error for energies of a stencil's node
// positions. Its derivative by a parameter that moves a closest point is wrong: it would need second derivatives of it.
ir::Energy rayleigh_dissipation(const ir::Energy& energy);
inline constexpr const char* rayleigh_stiffness = "damping.stiffness";

}  // namespace proxima::derive
