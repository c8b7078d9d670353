// The point of a triangle that is nearest to another point.
#pragma once

#include <array>

#include "runtime/mesh/elements.hpp"

namespace proxima::mesh {

// Its barycentric coordinates, at least 0 and with the sum 1. A triangle without area is what its sides are.
std::array<double, 3> closest_in_triangle(const Vector3& p, const std::array<Vector3, 3>& corners);

}  // namespace proxima::mesh
