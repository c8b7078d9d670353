// Small generated sets of elements that are not tetrahedra, and edges and hinges of a set of triangles: for tests,
// examples and programs that build a model by hand.
#pragma once

#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {

// A box of hexahedra; nodes are numbered as those of make_box.
Mesh make_hexahedra(std::array<int, 3> cells, Vector3 lower, Vector3 upper);

// A parallelogram origin + s along + t across of cells[0] x cells[1] cells, each cut into two triangles whose normal is
// along x across. Node (i, j) has number i + (cells[0] + 1) * j. The diagonals alternate, so that no direction is
// stiffer than its mirror image.
Mesh make_triangle_grid(std::array<int, 2> cells, Vector3 origin, Vector3 along, Vector3 across);

// Each edge of the triangles (or tetrahedra) once, lower node number first, in increasing order.
Elements edges_of(const Elements& elements);

// One hinge for each edge that two triangles share, in the order of edges_of. Throws Error where three triangles share
// an edge or two neighbours are of opposite winding.
Elements hinges_of(const Elements& triangles);

}  // namespace proxima::mesh
