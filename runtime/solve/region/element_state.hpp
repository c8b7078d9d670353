// What output shows of elements: stress, stretches, stored energy, as means over their quadrature points.
#pragma once

#include <span>
#include <vector>

#include "runtime/solve/region/element_set.hpp"

namespace proxima::solve {

// Of each element of the mesh, counted block after block; summed over the energies on it but for those of dissipation.
// Elements that the mesh does not list are left out, values that nobody gives are no numbers.
struct ElementState {
  explicit ElementState(std::size_t elements);

  // Cauchy stress, 6 an element: xx, yy, zz, xy, yz, xz (of an energy that is not objective, the symmetric part). Pa in
  // solids; N/m in membranes (per current length of a cut); the tension in edges, N. Zero where no energy is a function
  // of a deformation gradient or an edge.
  std::vector<double> stress;
  // Principal stretches, 3 an element, decreasing: the singular values of the mean deformation gradient, the last one
  // negative where a solid is inside out. Membranes have two, edges one.
  std::vector<double> stretches;
  std::vector<double> density;  // of stored energy, per volume, area or length at rest: J/m^3, J/m^2, J/m
};

// Adds one energy's part to the elements of its set, of which the mesh's block begins at element `first`. `energies`
// has one number an item (J), `stress` the output field of the state kernel with its `components` (nothing: {}, 0).
void add_element_state(const ElementSet& set, std::span<const double> x, std::span<const double> energies,
                       std::span<const double> stress, int components, std::size_t first, ElementState& state);

// sqrt(3/2 s:s) of the deviator s of a stress in the order above.
double von_mises(std::span<const double, 6> stress);

}  // namespace proxima::solve
