#include <algorithm>
#include <cmath>

#include "runtime/contact/search.hpp"
#include "runtime/contact/touch.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::cross;
using mesh::dot;
using mesh::minus;
using mesh::vector_at;
using model::ContactKey;
using model::ContactKind;

constexpr double slack = 0.1;  // cosine: how far beside the space above an edge the other's direction may be

struct Near {
  ContactKey key;
  std::int32_t first, second;  // edges
  Closest at_x;
  int met = 0;  // the side, of that at the start, from which they met on their way; 0: they did not
};

// Whether no face at one of the edges is nearer to the other edge, and neither is on a solid's inner side: `normal`
// leads from the second edge to the first.
bool is_nearest_around(const Search& search, const Near& near, const Vector3& normal, std::span<const double> x) {
  const auto none = [&](const Surface& surface, std::int32_t edge, double turn) {
    if (surface.is_solid(edge) && turn * dot(normal, edge_normal(surface, edge, x)) < 0) return false;
    return std::ranges::all_of(surface.faces_of_edge(edge), [&](std::int32_t f) {
      const auto into =
          into_face(surface.faces[static_cast<std::size_t>(f)], surface.edges[static_cast<std::size_t>(edge)], x);
      return turn * dot(normal, into) <= slack * std::sqrt(dot(into, into));
    });
  };
  return none(*search.pair.second, near.second, 1) && none(*search.pair.first, near.first, -1);
}

Geometry geometry_at(const Search& search, const ContactKey& key, const Closest& found, std::span<const double> x) {
  return geometry_of(feature_of(search.pair, key, found, search.start, x), nodes_at(key, x));
}

// How far inside edges of solids may start, as a share of their size: little more than what a step leaves undone, so
// that edges which have bent into each other while they were flat are not thrown apart.
constexpr double began_inside = 1e-5;

bool between_solids(const Search& search, const Near& near) {
  return search.pair.first->is_solid(near.first) || search.pair.second->is_solid(near.second);
}

// The side from which edges met, and the normal there, from the second to the first where that is the outer side; no
// normal of parallel ones.
struct Meeting {
  int side = 0;
  Vector3 normal{};
};

Meeting meeting_at(const Search& search, const Near& near, const Touch& touch) {
  const auto start = nodes_at(near.key, search.start), end = nodes_at(near.key, search.x);
  Four nodes;
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t i = 0; i < 3; ++i) nodes[k][i] = start[k][i] + touch.time * (end[k][i] - start[k][i]);
  const auto along = cross(minus(nodes[1], nodes[0]), minus(nodes[3], nodes[2]));
  const double turn = dot(along, start_direction(search.pair, near.key, search.start));
  const double length = std::sqrt(dot(along, along));
  Meeting meeting{touch.side * turn < 0 ? -1 : 1, {}};
  if (length > 0) meeting.normal = mesh::scaled((turn < 0 ? -1 : 1) / length, along);
  return meeting;
}

constexpr double same_plane = 0.99984769515639124;  // cosine of 1 degree

// Solids that lie on one another with faces in one plane: edges that cross there say nothing that vertices and faces
// don't say, unless both are corners of the two.
bool in_one_plane(const Search& search, std::int32_t a, std::int32_t b) {
  const auto &first = *search.pair.first, &second = *search.pair.second;
  if (!search.first->is_blunt(a) && !search.second->is_blunt(b)) return false;
  if (!first.is_solid(a) || !second.is_solid(b)) return false;
  const auto along = [&](const Surface& surface, std::int32_t edge) {
    const auto& ends = surface.edges[static_cast<std::size_t>(edge)];
    return minus(vector_at(search.start, ends[1]), vector_at(search.start, ends[0]));
  };
  const auto normal = cross(along(first, a), along(second, b));
  const double length = std::sqrt(dot(normal, normal));
  const auto has_face_across = [&](const Surface& surface, std::int32_t edge) {
    return std::ranges::any_of(surface.faces_of_edge(edge), [&](std::int32_t f) {
      return std::abs(dot(face_normal(surface.faces[static_cast<std::size_t>(f)], search.start), normal)) >=
             same_plane * length;
    });
  };
  return has_face_across(first, a) && has_face_across(second, b);
}

void look(const Search& search, Near& near) {
  const auto start = nodes_at(near.key, search.start), end = nodes_at(near.key, search.x);
  near.at_x = nearest_edges(end);
  const auto at_start = nearest_edges(start);
  const bool solid = between_solids(search, near);
  if (solid && at_start.active == 0b1111 && at_start.distance <= began_inside * size_of(start)) {
    const auto geometry = geometry_at(search, near.key, at_start, search.start);
    if (geometry.gap <= no_distance * size_of(start) && is_nearest_around(search, near, geometry.normal, search.start))
      near.met = 1;
  }
  if (near.met != 0 || at_start.distance > largest_approach(start, end, 2)) return;
  for (const auto& touch : touches(ContactKind::edge_edge, start, end)) {
    const auto [side, normal] = meeting_at(search, near, touch);
    // Edges of solids may also come out of one, or meet inside it, beside a face that was met before: the rim of a body
    // that has sunk into a flat one slides through the edges between the flat one's triangles.
    if (solid && (side < 0 || !(is_nearest_around(search, near, normal, search.start) ||
                                is_nearest_around(search, near, normal, search.x))))
      continue;
    near.met = side;
    break;
  }
}

// Closest at an end: a vertex and a face say the same, unless the other edge has none. One edge of those at the end
// stands for all.
bool end_counts(const Surface& surface, std::int32_t edge, const Surface& other, std::int32_t other_edge,
                const ContactKey& key, std::size_t first_slot, unsigned active) {
  const unsigned ends = active >> first_slot & 0b11U;
  if (ends == 0b11U) return true;
  const auto node = key.nodes[first_slot + (ends == 0b10U ? 1 : 0)];
  return other.is_bare(other_edge) && std::ranges::min(surface.edges_of_vertex(node)) == edge;
}

void add_nearest(const Search& search, const Near& near, bool through, std::vector<ContactKey>& keys) {
  if (!through && near.at_x.distance >= search.reach) return;
  const auto &first = *search.pair.first, &second = *search.pair.second;
  if (!end_counts(first, near.first, second, near.second, near.key, 0, near.at_x.active) ||
      !end_counts(second, near.second, first, near.first, near.key, 2, near.at_x.active))
    return;
  const auto geometry = geometry_at(search, near.key, near.at_x, search.x);
  if (geometry.gap < 0 ? !through : near.at_x.distance >= search.reach) return;  // not through: around an end
  if (is_nearest_around(search, near, geometry.normal, search.x)) keys.push_back(near.key);
}

}  // namespace

void find_edge_edges(const Search& search, std::vector<ContactKey>& out) {
  const auto &first = search.first->surface(), &second = search.second->surface();
  const bool same = search.first == search.second;
  const auto is_held = [&](std::int32_t node) { return search.held[static_cast<std::size_t>(node)] != 0; };
  collect(first.edges.size(), out, [&](std::size_t k, std::vector<ContactKey>& keys) {
    const auto a = static_cast<std::int32_t>(k);
    const auto& ends = first.edges[k];
    std::vector<Near> found;
    bool through = false, held_back = false;
    const BoxTree& tree = search.second->edges_for(search.first->is_flat(a));
    tree.visit_all(swept_box(ends, search.start, search.x), [&](std::size_t other) {
      const auto b = static_cast<std::int32_t>(other);
      const auto& others = second.edges[other];
      if (same &&
          (b <= a || others[0] == ends[0] || others[0] == ends[1] || others[1] == ends[0] || others[1] == ends[1]))
        return;
      if (std::ranges::all_of(ends, is_held) && std::ranges::all_of(others, is_held)) return;
      if (in_one_plane(search, a, b)) return;
      found.push_back({{search.number, ContactKind::edge_edge, 1, {ends[0], ends[1], others[0], others[1]}}, a, b, {}});
      look(search, found.back());
      through = through || found.back().met != 0;
    });
    for (auto& near : found) {
      if (near.met == 0) continue;
      near.key.side = static_cast<std::int8_t>(near.met);
      keys.push_back(near.key);
      held_back = held_back || (near.at_x.active == 0b1111 &&
                                is_nearest_around(search, near,
                                                  geometry_at(search, near.key, near.at_x, search.x).normal, search.x));
    }
    for (const auto& near : found)
      if (near.met == 0) add_nearest(search, near, through && !held_back, keys);
  });
}

}  // namespace proxima::contact
