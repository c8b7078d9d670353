#include "runtime/contact/nearest.hpp"

#include <cmath>

#include "runtime/mesh/closest_point.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::cross;
using mesh::dot;
using mesh::minus;

// The point `p` and the edge from node a to node b, by their numbers.
Closest to_edge(const Four& nodes, unsigned p, unsigned a, unsigned b) {
  const auto [share, distance] = mesh::closest_on_segment(nodes[p], nodes[a], nodes[b]);
  return {1U << p | (share < 1 ? 1U << a : 0U) | (share > 0 ? 1U << b : 0U), distance};
}

Closest nearer(const Closest& a, const Closest& b) { return b.distance < a.distance ? b : a; }

}  // namespace

Closest nearest_vertex_face(const Four& nodes) {
  const auto [shares, distance, above] = mesh::closest_in_triangle(nodes[0], {nodes[1], nodes[2], nodes[3]});
  unsigned active = above ? 0b1111 : 1;
  for (unsigned k = 0; k < 3; ++k)
    if (shares[k] > 0) active |= 2U << k;
  return {active, distance};
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
