#include "runtime/contact/nearest.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::cross;
using mesh::dot;
using mesh::minus;

constexpr double no_area = 1e-24;  // of the fourth power of a face's longest edge: the square of twice its area

double length(const Vector3& a) { return std::sqrt(dot(a, a)); }

// The point `p` and the edge from node a to node b, by their numbers.
Closest to_edge(const Four& nodes, unsigned p, unsigned a, unsigned b) {
  const auto u = minus(nodes[b], nodes[a]), d = minus(nodes[p], nodes[a]);
  const double along = dot(u, d), whole = dot(u, u);
  if (along <= 0) return {1U << p | 1U << a, length(d)};
  if (along >= whole) return {1U << p | 1U << b, length(minus(nodes[p], nodes[b]))};
  const double t = along / whole;
  return {1U << p | 1U << a | 1U << b, length({d[0] - t * u[0], d[1] - t * u[1], d[2] - t * u[2]})};
}

Closest nearer(const Closest& a, const Closest& b) { return b.distance < a.distance ? b : a; }

}  // namespace

Closest nearest_vertex_face(const Four& nodes) {
  const auto u = minus(nodes[2], nodes[1]), v = minus(nodes[3], nodes[1]), d = minus(nodes[0], nodes[1]);
  const auto m = cross(u, v), w = minus(v, u);
  const double area = dot(m, m), longest = std::max({dot(u, u), dot(v, v), dot(w, w)});
  if (area > no_area * longest * longest) {
    const double of_b = dot(cross(d, v), m), of_c = dot(cross(u, d), m);
    if (of_b >= 0 && of_c >= 0 && of_b + of_c <= area) return {0b1111, std::abs(dot(d, m)) / std::sqrt(area)};
  }
  return nearer(nearer(to_edge(nodes, 0, 1, 2), to_edge(nodes, 0, 2, 3)), to_edge(nodes, 0, 3, 1));
}

Closest nearest_edges(const Four& nodes, double parallel) {
  const auto u = minus(nodes[1], nodes[0]), v = minus(nodes[3], nodes[2]), w = minus(nodes[2], nodes[0]);
  const auto m = cross(u, v);
  const double area = dot(m, m);
  if (area > parallel * dot(u, u) * dot(v, v)) {
    const double s = dot(cross(w, v), m), t = dot(cross(w, u), m);
    if (s >= 0 && s <= area && t >= 0 && t <= area) return {0b1111, std::abs(dot(w, m)) / std::sqrt(area)};
  }
  return nearer(nearer(to_edge(nodes, 0, 2, 3), to_edge(nodes, 1, 2, 3)),
                nearer(to_edge(nodes, 2, 0, 1), to_edge(nodes, 3, 0, 1)));
}

}  // namespace proxima::contact
