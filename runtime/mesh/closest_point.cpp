#include "runtime/mesh/closest_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/mesh/vectors.hpp"

namespace proxima::mesh {
namespace {

constexpr double no_area = 1e-24;  // of the fourth power of the longest side: the square of twice the area

double length(const Vector3& a) { return std::sqrt(dot(a, a)); }  // contacts ask for very many

}  // namespace

OnSegment closest_on_segment(const Vector3& p, const Vector3& from, const Vector3& to) {
  const auto side = minus(to, from), away = minus(p, from);
  const double along = dot(side, away), whole = dot(side, side);
  if (along <= 0) return {0, length(away)};
  if (along >= whole) return {1, length(minus(p, to))};
  const double share = along / whole;
  return {share, length({away[0] - share * side[0], away[1] - share * side[1], away[2] - share * side[2]})};
}

OnTriangle closest_in_triangle(const Vector3& p, const std::array<Vector3, 3>& corners) {
  const auto u = minus(corners[1], corners[0]), v = minus(corners[2], corners[0]), d = minus(p, corners[0]);
  const auto m = cross(u, v), w = minus(v, u);
  const double area = dot(m, m), longest = std::max({dot(u, u), dot(v, v), dot(w, w)});
  if (area > no_area * longest * longest) {
    const double of_b = dot(cross(d, v), m), of_c = dot(cross(u, d), m);
    if (of_b >= 0 && of_c >= 0 && of_b + of_c <= area) {
      const double b = of_b / area, c = of_c / area;
      return {{std::max(0.0, 1 - b - c), b, c}, std::abs(dot(d, m)) / std::sqrt(area), true};
    }
  }
  OnTriangle result{.distance = std::numeric_limits<double>::infinity()};
  for (std::size_t from = 0; from < 3; ++from) {
    const std::size_t to = (from + 1) % 3;
    const auto [share, distance] = closest_on_segment(p, corners[from], corners[to]);
    if (!(distance < result.distance)) continue;
    result = {{}, distance};
    result.shares[from] = 1 - share;
    result.shares[to] += share;
  }
  return result;
}

}  // namespace proxima::mesh
