// Geometry of the linear tetrahedron: rest shape gradients, and the deformation gradient of one element for messages.
#pragma once

#include <array>
#include <span>
#include <string>

#include "runtime/mesh/mesh.hpp"

namespace proxima::solve {

struct ShapeGradients {
  std::array<double, 9> rows;  // gradients of corners 1..3, row by row, 1/m; corner 0's is minus their sum
  double volume;               // m^3
};
ShapeGradients shape_gradients(const mesh::TetMesh& mesh, std::size_t tet);

// F = sum_s x_s (x) g_s, row by row; x has 3 scalars a node.
std::array<double, 9> deformation_gradient(const mesh::TetMesh& mesh, std::size_t tet, std::span<const double> x);

// Principal stretches of F, decreasing; the last one is negative where the element is inverted.
std::array<double, 3> principal_stretches(const mesh::TetMesh& mesh, std::size_t tet, std::span<const double> x);

// "tet 12 (centroid at rest 0.1 0.2 0.3, principal stretches 1.2 1 0.01)".
std::string describe_tet(const mesh::TetMesh& mesh, std::size_t tet, std::span<const double> x);

// The tet with the least determinant of F.
std::size_t most_compressed_tet(const mesh::TetMesh& mesh, std::span<const double> x);

}  // namespace proxima::solve
