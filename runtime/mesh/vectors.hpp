// Arithmetic of positions.
#pragma once

#include <cmath>

#include "runtime/mesh/elements.hpp"

namespace proxima::mesh {

inline Vector3 minus(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector3 scaled(double factor, const Vector3& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }
inline double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double norm(const Vector3& a) { return std::hypot(a[0], a[1], a[2]); }
inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double triple_product(const Vector3& a, const Vector3& b, const Vector3& c) { return dot(cross(a, b), c); }

}  // namespace proxima::mesh
