#include "runtime/contact/touch.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::cross;
using mesh::dot;
using mesh::minus;
using model::ContactKind;

constexpr double same_place = 1e-9;  // of the size of the two
constexpr double flat = 1e-14;       // of the cube of the size: a volume that is rounding only

constexpr double truly_parallel = 1e-12;  // sin^2: below it an end is as near as any point, to rounding

double distance(ContactKind kind, const Four& nodes) {
  return (kind == ContactKind::vertex_face ? nearest_vertex_face(nodes) : nearest_edges(nodes, truly_parallel))
      .distance;
}

using Cubic = std::array<double, 4>;  // coefficients of 1, t, t^2, t^3

double value(const Cubic& c, double t) { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); }

Four between(const Four& start, const Four& end, double t) {
  Four nodes;
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t i = 0; i < 3; ++i) nodes[k][i] = start[k][i] + t * (end[k][i] - start[k][i]);
  return nodes;
}

// The three vectors whose triple product is the volume.
std::array<Vector3, 3> spans(ContactKind kind, const Four& p) {
  if (kind == ContactKind::vertex_face) return {minus(p[2], p[1]), minus(p[3], p[1]), minus(p[0], p[1])};
  return {minus(p[1], p[0]), minus(p[3], p[2]), minus(p[0], p[2])};
}

Cubic volume(ContactKind kind, const Four& start, const Four& end) {
  const auto a = spans(kind, start), b = spans(kind, end);
  const std::array<Vector3, 3> d{minus(b[0], a[0]), minus(b[1], a[1]), minus(b[2], a[2])};
  const auto of_start = cross(a[0], a[1]), of_motion = cross(d[0], d[1]);
  auto mixed = cross(a[0], d[1]);
  const auto other = cross(d[0], a[1]);
  for (std::size_t i = 0; i < 3; ++i) mixed[i] += other[i];
  return {dot(of_start, a[2]), dot(mixed, a[2]) + dot(of_start, d[2]), dot(of_motion, a[2]) + dot(mixed, d[2]),
          dot(of_motion, d[2])};
}

// Between `low` and `high`, where the cubic is monotone and changes its sign.
double root_between(const Cubic& c, double low, double high) {
  const bool rising = value(c, low) < value(c, high);
  for (int step = 0; step < 100; ++step) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    ((value(c, middle) < 0) == rising ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Where the derivative vanishes in (0, 1), with both ends.
std::vector<double> turning_points(const Cubic& c) {
  std::vector<double> points{0, 1};
  const double a = 3 * c[3], b = c[2], e = c[1];  // a t^2 + 2 b t + e
  const double under = b * b - a * e;
  if (under >= 0) {
    const double q = -(b + std::copysign(std::sqrt(under), b));
    for (const double t : {q == 0 ? 0 : e / q, a == 0 ? 0 : q / a})
      if (t > 0 && t < 1) points.push_back(t);
  }
  std::ranges::sort(points);
  return points;
}

std::vector<double> roots(const Cubic& c, double rounding) {
  const auto points = turning_points(c);
  std::vector<double> found;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (std::abs(value(c, points[k])) <= rounding) found.push_back(points[k]);
    if (k + 1 < points.size() && value(c, points[k]) * value(c, points[k + 1]) < 0)
      found.push_back(root_between(c, points[k], points[k + 1]));
  }
  return found;
}

// Steps that are too short for the nearest points to meet: no two points come nearer by more than `most` a unit of
// time.
std::vector<Touch> advance(ContactKind kind, const Four& start, const Four& end, double close) {
  std::array<double, 4> moved;
  for (std::size_t k = 0; k < 4; ++k) moved[k] = mesh::norm(minus(end[k], start[k]));
  const double most = kind == ContactKind::vertex_face ? moved[0] + std::max({moved[1], moved[2], moved[3]})
                                                       : std::max(moved[0], moved[1]) + std::max(moved[2], moved[3]);
  double time = 0;
  for (int step = 0; step < 1000; ++step) {
    const double apart = distance(kind, between(start, end, time));
    if (apart <= close) return {{time, 0}};
    if (most == 0) return {};
    time += std::max(apart - 0.5 * close, 1e-3 * close) / most;
    if (time > 1) return {};
  }
  return {{time, 0}};
}

}  // namespace

std::vector<Touch> touches(ContactKind kind, const Four& start, const Four& end) {
  double size = 0;
  for (const auto& a : spans(kind, start)) size = std::max(size, mesh::norm(a));
  for (const auto& a : spans(kind, end)) size = std::max(size, mesh::norm(a));
  const double rounding = flat * size * size * size, close = same_place * size;
  const auto cubic = volume(kind, start, end);
  if (std::ranges::all_of(cubic, [&](double c) { return std::abs(c) <= rounding; }))
    return advance(kind, start, end, close);
  std::vector<Touch> result;
  double before = 0;
  for (const double time : roots(cubic, rounding)) {
    const double volume_before = time == 0 ? cubic[0] : value(cubic, 0.5 * (before + time));
    before = time;
    if (distance(kind, between(start, end, time)) > close) continue;
    result.push_back({time, volume_before > 0 ? 1 : -1});
  }
  return result;
}

}  // namespace proxima::contact
