#include "runtime/contact/feature.hpp"

#include <bit>
#include <cmath>

#include "runtime/contact/formulas.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::cross;
using mesh::dot;
using mesh::minus;
using mesh::scaled;
using mesh::vector_at;
using model::ContactKey;
using model::ContactKind;

constexpr double tie = 1e-6;  // cosine: two faces that are equally near both are the nearest

// The formula and its points, without a side.
Feature shape_of(ContactKind kind, unsigned active) {
  const unsigned of_first = kind == ContactKind::vertex_face ? 0b0001 : 0b0011;
  const auto first = std::popcount(active & of_first), second = std::popcount(active & ~of_first);
  Feature feature;
  feature.points = static_cast<std::uint8_t>(first + second);
  if (feature.points == 4)
    feature.kind = first == 1 ? FormulaKind::plane : FormulaKind::lines;
  else
    feature.kind = feature.points == 3 ? FormulaKind::line : FormulaKind::point;
  std::size_t next = 0;
  const auto take = [&](unsigned nodes) {
    for (std::uint8_t k = 0; k < 4; ++k)
      if ((nodes >> k & 1U) != 0) feature.slots[next++] = k;
  };
  const bool turned = first == 2 && second == 1;
  take(turned ? active & ~of_first : active & of_first);
  take(turned ? active & of_first : active & ~of_first);
  if (turned) feature.flip = -1;
  return feature;
}

template <std::size_t N>
Geometry placed(const Feature& feature, const Terms<double, N>& terms) {
  Geometry result;
  result.gap = feature.side * terms.gap + feature.apart;
  result.normal = scaled(feature.side * feature.flip, terms.normal);
  result.weights = {};
  for (std::size_t k = 0; k < N; ++k) result.weights[feature.slots[k]] = feature.flip * terms.weights[k];
  return result;
}

// Of an edge or corner of a face: what is outside there.
struct Outside {
  Vector3 direction{};
  bool rim = false;
};
Outside outside_at(const Surface& surface, const ContactKey& key, unsigned active, std::span<const double> x) {
  std::array<std::int32_t, 3> nodes{};
  std::size_t count = 0;
  for (std::size_t k = 1; k < 4; ++k)
    if ((active >> k & 1U) != 0) nodes[count++] = key.nodes[k];
  if (count == 2) {
    const auto edge = surface.edge(nodes[0], nodes[1]);
    return {edge_normal(surface, edge, x), is_rim_edge(surface, edge)};
  }
  return {vertex_normal(surface, nodes[0], x), is_rim_vertex(surface, nodes[0])};
}

Vector3 unit(const Vector3& a) {
  const double length = std::sqrt(dot(a, a));
  return length > 0 ? scaled(1 / length, a) : Vector3{0, 0, 1};
}

// Of two edges that are nearest at an end: a vertex and a face say the same, unless the other edge has no face.
bool stands_for_itself(const SurfacePair& pair, const ContactKey& key, unsigned active) {
  const bool end_of_first = (active & 0b0011U) != 0b0011U, end_of_second = (active & 0b1100U) != 0b1100U;
  return (!end_of_first || pair.second->is_bare(pair.second->edge(key.nodes[2], key.nodes[3]))) &&
         (!end_of_second || pair.first->is_bare(pair.first->edge(key.nodes[0], key.nodes[1])));
}

// What leads from the second side's nearest point to the first's.
Vector3 between_points(const Feature& feature, const Four& nodes) {
  const auto weights = geometry_of(feature, nodes).weights;
  Vector3 sum{};
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t i = 0; i < 3; ++i) sum[i] += weights[k] * nodes[k][i];
  return sum;
}

}  // namespace

double size_of(const Four& nodes) {
  double size = 0;
  for (std::size_t k = 1; k < 4; ++k)
    for (std::size_t i = 0; i < 3; ++i) size = std::max(size, std::abs(nodes[k][i] - nodes[0][i]));
  return size;
}

Geometry geometry_of(const Feature& feature, const Four& nodes) {
  const auto point = [&](std::size_t k) -> const Vector3& { return nodes[feature.slots[k]]; };
  switch (feature.kind) {
    case FormulaKind::plane:
      return placed(feature, formula::plane(point(0), point(1), point(2), point(3)));
    case FormulaKind::lines:
      return placed(feature, formula::lines(point(0), point(1), point(2), point(3)));
    case FormulaKind::line:
      return placed(feature, formula::line(point(0), point(1), point(2)));
    case FormulaKind::point:
      return placed(feature, formula::point(point(0), point(1)));
    case FormulaKind::touching:
      break;
  }
  Geometry result = feature.points == 3 ? placed(feature, formula::line(point(0), point(1), point(2)))
                                        : placed(feature, formula::point(point(0), point(1)));
  result.normal = feature.normal;
  result.gap = 0;
  for (std::size_t k = 0; k < 4; ++k) result.gap += result.weights[k] * dot(result.normal, nodes[k]);
  return result;
}

bool is_nearest_around(const Surface& surface, const ContactKey& key, const Closest& found, std::span<const double> x,
                       double slack) {
  const auto feature = shape_of(ContactKind::vertex_face, found.active);
  if (feature.kind == FormulaKind::plane) return true;
  const auto nodes = nodes_at(key, x);
  const auto away = between_points(feature, nodes);
  const double length = std::sqrt(dot(away, away));
  const auto turns_away = [&](const Vector3& into) {
    return dot(away, into) <= slack * length * std::sqrt(dot(into, into));
  };
  if (feature.kind == FormulaKind::line) {
    const auto edge = surface.edge(key.nodes[feature.slots[1]], key.nodes[feature.slots[2]]);
    for (const auto f : surface.faces_of_edge(edge))
      if (!turns_away(
              into_face(surface.faces[static_cast<std::size_t>(f)], surface.edges[static_cast<std::size_t>(edge)], x)))
        return false;
    return true;
  }
  const auto corner = key.nodes[feature.slots[1]];
  for (const auto e : surface.edges_of_vertex(corner)) {
    const auto& ends = surface.edges[static_cast<std::size_t>(e)];
    if (!turns_away(minus(vector_at(x, ends[0] == corner ? ends[1] : ends[0]), vector_at(x, corner)))) return false;
  }
  return true;
}

Vector3 start_direction(const SurfacePair& pair, const ContactKey& key, std::span<const double> start) {
  const auto outwards = [&](const Surface& surface, std::size_t k) -> Vector3 {
    const auto edge = surface.edge(key.nodes[k], key.nodes[k + 1]);
    return surface.is_solid(edge) ? unit(edge_normal(surface, edge, start)) : Vector3{};
  };
  const auto direction = minus(outwards(*pair.second, 2), outwards(*pair.first, 0));
  if (dot(direction, direction) > 0) return direction;
  const auto nodes = nodes_at(key, start);
  return between_points(shape_of(ContactKind::edge_edge, nearest_edges(nodes).active), nodes);
}

Feature feature_of(const SurfacePair& pair, const ContactKey& key, const Closest& found, std::span<const double> start,
                   std::span<const double> x) {
  Feature feature = shape_of(key.kind, found.active);
  const auto nodes = nodes_at(key, x);
  if (feature.kind == FormulaKind::plane) {
    feature.side = key.side;
    return feature;
  }
  if (key.kind == ContactKind::edge_edge) {
    const auto direction = start_direction(pair, key, start);
    if (feature.kind == FormulaKind::lines) {
      const auto along = cross(minus(nodes[1], nodes[0]), minus(nodes[3], nodes[2]));
      feature.side = static_cast<std::int8_t>(dot(along, direction) < 0 ? -key.side : key.side);
    } else if (found.distance <= no_distance * size_of(nodes)) {
      feature.kind = FormulaKind::touching;
      feature.normal = scaled(key.side, unit(direction));
    } else if (!stands_for_itself(pair, key, found.active)) {
      feature.apart = pair.size;
    }
    return feature;
  }
  const Surface& surface = pair.of_face(key);
  const auto outside = outside_at(surface, key, found.active, x);
  if (found.distance <= no_distance * size_of(nodes)) {
    feature.kind = FormulaKind::touching;
    feature.normal = scaled(key.side, unit(outside.direction));
  } else if (!is_nearest_around(surface, key, found, x, tie)) {
    feature.apart = pair.size;
  } else if (!outside.rim) {
    const double side = key.side * dot(between_points(feature, nodes), outside.direction);
    feature.side = static_cast<std::int8_t>(side < 0 ? -1 : 1);
  }
  return feature;
}

}  // namespace proxima::contact
