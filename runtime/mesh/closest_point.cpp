#include "runtime/mesh/closest_point.hpp"

#include <algorithm>
#include <limits>

#include "runtime/mesh/vectors.hpp"

namespace proxima::mesh {
namespace {

constexpr double no_area = 1e-24;  // of the fourth power of the longest side: the square of twice the area

}  // namespace

std::array<double, 3> closest_in_triangle(const Vector3& p, const std::array<Vector3, 3>& corners) {
  const auto u = minus(corners[1], corners[0]), v = minus(corners[2], corners[0]), d = minus(p, corners[0]);
  const auto m = cross(u, v), w = minus(v, u);
  const double area = dot(m, m), longest = std::max({dot(u, u), dot(v, v), dot(w, w)});
  if (area > no_area * longest * longest) {
    const double b = dot(cross(d, v), m) / area, c = dot(cross(u, d), m) / area;
    if (b >= 0 && c >= 0 && b + c <= 1) return {1 - b - c, b, c};
  }
  std::array<double, 3> result{};
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t from = 0; from < 3; ++from) {
    const std::size_t to = (from + 1) % 3;
    const auto side = minus(corners[to], corners[from]), away = minus(p, corners[from]);
    const double whole = dot(side, side), t = whole > 0 ? std::clamp(dot(away, side) / whole, 0.0, 1.0) : 0;
    Vector3 left = away;
    add(left, -t, side);
    if (dot(left, left) >= least) continue;
    least = dot(left, left);
    result = {};
    result[from] = 1 - t;
    result[to] += t;
  }
  return result;
}

}  // namespace proxima::mesh
