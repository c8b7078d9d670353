// The shape functions of solids, anywhere in them.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "runtime/mesh/elements.hpp"

namespace proxima::mesh {

// Signs of the own coordinates of the corners of a hexahedron, which go from -1 to 1.
inline constexpr int cube_corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                          {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

// Of the hexahedron, by its own coordinates, and differentiated by these.
std::array<double, 8> cube_shares(const Vector3& own);
std::array<Vector3, 8> cube_gradients(const Vector3& own);

// The shape functions of a solid with these corners at a point in space, inside or not: none is negative inside, their
// sum is 1, and with them the corners have the point as their mean. Nothing where no point of a hexahedron is found
// that lies there, as far outside of one that is no parallelepiped.
std::optional<std::vector<double>> shares_at(Shape shape, std::span<const Vector3> corners, const Vector3& point);

}  // namespace proxima::mesh
