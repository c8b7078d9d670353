// Arithmetic of positions, and of vectors that lie one after the other in a list of numbers.
#pragma once

#include <cmath>
#include <span>

#include "runtime/mesh/elements.hpp"

namespace proxima::mesh {

inline Vector3 minus(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector3 scaled(double factor, const Vector3& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }
inline double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double norm(const Vector3& a) { return std::hypot(a[0], a[1], a[2]); }
inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline void add(Vector3& sum, double factor, const Vector3& v) {
  for (std::size_t i = 0; i < 3; ++i) sum[i] += factor * v[i];
}
inline double triple_product(const Vector3& a, const Vector3& b, const Vector3& c) { return dot(cross(a, b), c); }

// Three scalars of many.
template <class Index>
Vector3 vector_at(std::span<const double> values, Index index) {
  const auto k = 3 * static_cast<std::size_t>(index);
  return {values[k], values[k + 1], values[k + 2]};
}
template <class Index>
void add_at(std::span<double> values, Index index, double factor, const Vector3& v) {
  const auto k = 3 * static_cast<std::size_t>(index);
  for (std::size_t i = 0; i < 3; ++i) values[k + i] += factor * v[i];
}

}  // namespace proxima::mesh
