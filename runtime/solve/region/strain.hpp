// How an element is deformed, for messages: its deformation gradient, the worst of all, and a description.
#pragma once

#include <string>
#include <vector>

#include "runtime/solve/region/element_set.hpp"

namespace proxima::solve {

// F = sum_s x_s (x) g_s at quadrature point `item` of the set: 3 rows of one column for each dimension of its rest
// coordinates (none for stencils); x has 3 scalars a node.
std::vector<double> deformation_gradient(const ElementSet& set, std::size_t item, std::span<const double> x);

// The quadrature point whose product of stretches is least: of a solid its det F, of a membrane its area ratio.
std::size_t most_compressed(const ElementSet& set, std::span<const double> x, double& ratio);

// "tet 12 (centroid at rest 0.1 0.2 0.3, principal stretches 1.2 1 0.01)".
std::string describe(const ElementSet& set, std::size_t item, const mesh::Mesh& mesh, std::span<const double> x);

}  // namespace proxima::solve
