// Merging nodes. Internal to the room.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {

// Makes elements use, of nodes that are closer than `tolerance` (directly or by way of others), the one with the lowest
// number. Returns the others; they stay in the mesh, unused. Nodes that are not finite are left alone.
std::vector<std::size_t> merge_nodes(Mesh& mesh, double tolerance);

// Of the box around its finite nodes, 0 where there are none.
double diagonal(const Mesh& mesh);

}  // namespace proxima::mesh
