// Which corners of two small shapes, a vertex and a face or two edges, are nearest to one another.
#pragma once

#include <array>

#include "runtime/contact/geometry.hpp"

namespace proxima::contact {

// The four nodes of a key: a vertex and the corners of a face, or the ends of one edge and those of another.
using Four = std::array<Vector3, 4>;

struct Closest {
  unsigned active = 0;  // bit k is set where node k carries a part of the two nearest points
  double distance = 0;  // m
};

// A face without area is what its edges are, an edge without length what its ends are.
Closest nearest_vertex_face(const Four& nodes);
// Edges with less than `parallel` as sin^2 of the angle between them count as nearest at an end of one of them.
inline constexpr double parallel_edges = 1e-3;
Closest nearest_edges(const Four& nodes, double parallel = parallel_edges);

inline Closest nearest(model::ContactKind kind, const Four& nodes) {
  return kind == model::ContactKind::vertex_face ? nearest_vertex_face(nodes) : nearest_edges(nodes);
}

}  // namespace proxima::contact
