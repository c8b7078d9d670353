// What the makers of meshes share.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "runtime/mesh/elements.hpp"

namespace proxima::mesh {

// A few digits in a scene can ask for any number of elements. More than this many are not begun: some 10 GB to prepare.
constexpr double kMostGenerated = 2e7;

// Throws Error "WHAT has N elements ..." above it; `what` is "a ball mesh of 9 layers".
void require_generable(double elements, const std::string& what);

// The nodes of a box of cells in the order of make_box. Throws Error for what is no box, and where it would have more
// elements than are generated.
std::vector<Vector3> box_nodes(std::array<int, 3> cells, Vector3 lower, Vector3 upper, int elements_per_cell);

}  // namespace proxima::mesh
