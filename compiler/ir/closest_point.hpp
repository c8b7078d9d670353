// Closest points on the manifolds that projective energies are made of, as formulas: rotations, matrices of a given
// determinant or with bounded stretches, spheres. Their first derivatives by all operands are exact, at equal stretches
// as well; where an iteration is needed, the loop is followed by one Newton step that carries the derivative. Their
// second derivatives are not (a projective energy needs none: see Op::gap).
//
// No closest point of a matrix is unique where sigma_2 = -sigma_3, as where all of it is a line: then one of them is
// given, and there is no derivative.
//
// Matrices are given and returned row by row: 9 nodes of a 3x3, or 6 of a 3x2 matrix, whose third singular vector is
// the normal of its columns. Throws std::logic_error for any other number.
#pragma once

#include <span>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace proxima::ir {

// The nearest rotation; of a 3x2 matrix the nearest with orthonormal columns.
std::vector<NodeId> closest_rotation(Graph& graph, std::span<const NodeId> A);

// The nearest matrix with all stretches in [lower, upper], 0 <= lower < upper. A 3x3 matrix that is inverted gets
// stretches from lower on.
std::vector<NodeId> closest_within_stretches(Graph& graph, std::span<const NodeId> A, NodeId lower, NodeId upper);

// The nearest 3x3 matrix with determinant `determinant` > 0, of all its stretches positive. Not unique where two of the
// stretches that it would move apart are equal, as for the identity and a determinant below about 0.2: one of them,
// without a derivative.
std::vector<NodeId> closest_with_determinant(Graph& graph, std::span<const NodeId> A, NodeId determinant);

// The point of the sphere about 0 that is nearest to a vector of any dimension; for 0 itself radius along the first
// axis, without a derivative.
std::vector<NodeId> closest_on_sphere(Graph& graph, std::span<const NodeId> vector, NodeId radius);

}  // namespace proxima::ir
