// How good and how sound the elements of a mesh are, without giving up at the first bad one: for `proxima mesh`. What a
// simulation needs is enforced by prepare().
#pragma once

#include <string>
#include <vector>

#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {

// Mean-ratio quality of each element: 1 for the regular shape, towards 0 as it degenerates, negative where a solid is
// inside out, 0 where its nodes do not exist or are not finite.
//   edge         1, or 0 without length
//   triangle     4 sqrt(3) A / sum of squared edges
//   tetrahedron  12 (3 V)^(2/3) / sum of squared edges (Liu and Joe, BIT 34, 1994)
//   hexahedron   the least over its corners of 3 det(J)^(2/3) / |J|_F^2 (Knupp, SIAM J. Sci. Comput. 23, 2001)
std::vector<double> qualities(const Elements& elements, const std::vector<Vector3>& nodes);

// Length, area or volume of each, signed for solids (of a hexahedron: by its Gauss points); NaN where nodes are absent.
std::vector<double> measures(const Elements& elements, const std::vector<Vector3>& nodes);

// Whether an element has a node twice, or a measure below 1e-12 of its longest edge to the power of its dimension, as
// rest_geometry() refuses it. Its nodes exist.
bool is_degenerate(const Elements& elements, std::size_t element, double measure, const std::vector<Vector3>& nodes);

// Of the triangles of a mesh, or of the boundary of its solids.
struct SurfaceFacts {
  std::size_t boundary_edges = 0;     // with one triangle
  std::size_t nonmanifold_edges = 0;  // with three or more
  std::size_t opposed_edges = 0;      // between two triangles of opposite winding
  double volume = 0;                  // enclosed, signed: positive where normals point outwards; of a closed surface
  bool closed() const { return boundary_edges == 0; }
};
SurfaceFacts surface_facts(const Elements& triangles, const std::vector<Vector3>& nodes);

// Everything that prepare() would refuse or mend, and what else is likely a mistake; one sentence each, with the number
// of elements or nodes and the first of them. Empty for a sound mesh.
std::vector<std::string> find_faults(const Mesh& mesh);

// What repair() did.
struct RepairCounts {
  std::size_t merged_nodes = 0;
  std::size_t degenerate = 0;         // elements dropped: without measure, or with a node twice
  std::size_t duplicates = 0;         // elements dropped that stand twice, whatever their order of corners
  std::size_t flipped_solids = 0;     // of opposite winding
  std::size_t flipped_triangles = 0;  // against their neighbours, or inwards on a closed piece
  std::size_t unused_nodes = 0;       // dropped
};
// Mends what has one meaning. Nodes are merged where they are closer than `tolerance` (m; 0: none are). Throws Error
// naming `name`: a node that does not exist or is not finite, nothing left.
RepairCounts repair(Mesh& mesh, double tolerance, const std::string& name);

}  // namespace proxima::mesh
