// The points of a segment and of a triangle that are nearest to another point.
#pragma once

#include <array>

#include "runtime/mesh/elements.hpp"

namespace proxima::mesh {

struct OnSegment {
  double share = 0;     // of `to`, from 0 to 1 and exactly that at its ends
  double distance = 0;  // m
};

// A segment without length is `from`.
OnSegment closest_on_segment(const Vector3& p, const Vector3& from, const Vector3& to);

struct OnTriangle {
  std::array<double, 3> shares{};  // barycentric coordinates, at least 0 and with the sum 1
  double distance = 0;             // m
  bool above = false;              // p is above the triangle, its sides among it; else the point is one of a side
};

// A triangle without area is what its sides are.
OnTriangle closest_in_triangle(const Vector3& p, const std::array<Vector3, 3>& corners);

}  // namespace proxima::mesh
