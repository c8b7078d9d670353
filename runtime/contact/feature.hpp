// The part of a pair that is nearest, and the contact's numbers there. Internal to the room.
#pragma once

#include "runtime/contact/nearest.hpp"
#include "runtime/contact/surface.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {

// Two surfaces that may touch, or one and itself, and the gap at which they do.
struct SurfacePair {
  const Surface* first = nullptr;
  const Surface* second = nullptr;
  double thickness = 0;  // m
  double size = 0;       // m, of the whole model at rest
  // Of a vertex_face key: whose the face is.
  const Surface& of_face(const model::ContactKey& key) const { return second->has(key.nodes[1]) ? *second : *first; }
};

// Which formula gives the contact's numbers at some positions. `touching` is a point on an edge or at a corner, or two
// points, without a distance that would have a direction: the normal is then that of the surface there, held fixed.
enum class FormulaKind : std::uint8_t { plane, lines, line, point, touching };
struct Feature {
  FormulaKind kind = FormulaKind::point;
  std::array<std::uint8_t, 4> slots{};  // of the key's nodes, in the order of the formula's points
  std::uint8_t points = 2;
  std::int8_t side = 1;  // gap = side * the formula's
  std::int8_t flip = 1;  // -1: the formula's points are those of the other side first, so its weights change sign
  Vector3 normal{};      // of touching
  double apart = 0;      // m, added to the gap: the model's size, where others stand for this contact
};

// What is nearer than this share of a pair's size is at the surface: its side is rounding.
inline constexpr double no_distance = 1e-9;
// The largest component of what leads from the first node to another, m.
double size_of(const Four& nodes);

inline Four nodes_at(const model::ContactKey& key, std::span<const double> x) {
  return {mesh::vector_at(x, key.nodes[0]), mesh::vector_at(x, key.nodes[1]), mesh::vector_at(x, key.nodes[2]),
          mesh::vector_at(x, key.nodes[3])};
}

// Of a step that began at `start`. `found` is nearest() at x.
Feature feature_of(const SurfacePair& pair, const model::ContactKey& key, const Closest& found,
                   std::span<const double> start, std::span<const double> x);

// All but the slip, of nodes at x; the gap is that of the surfaces' middles: the pair's thickness is not taken off.
Geometry geometry_of(const Feature& feature, const Four& nodes);

// Where the vertex and an edge or corner of the face are nearest: whether no other face at that edge or corner is
// nearer, up to `slack` as the cosine of an angle. True inside a face.
bool is_nearest_around(const Surface& surface, const model::ContactKey& key, const Closest& found,
                       std::span<const double> x, double slack);

// The direction that tells on which side the first edge was of the second at the start: outwards of the solids whose
// edges they are, else from the second to the first.
Vector3 start_direction(const SurfacePair& pair, const model::ContactKey& key, std::span<const double> start);

}  // namespace proxima::contact
