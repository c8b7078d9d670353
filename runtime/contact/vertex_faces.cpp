#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/contact/search.hpp"
#include "runtime/contact/touch.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::dot;
using mesh::minus;
using mesh::vector_at;
using model::ContactKey;
using model::ContactKind;

constexpr double slack = 0.1;  // cosine: how far beside the space above an edge or corner a vertex may be

// A face near a vertex.
struct Near {
  ContactKey key;  // without its side
  const Face* face;
  Closest at_x;
  int met = 0;                // the side from which the vertex met the face on its way, 0: it did not
  double rounding = 0;        // m: nearer than this its side is none
  double at_start = 0;        // the distance, m
  bool began_inside = false;  // at the start, or at the surface to rounding; then it has met it
  double height = 0;          // above the face's plane at the start, m
  double inside = 0;          // how far behind a solid's face a vertex may start and still be outside, m
};

// Vertices of a step that are not quite converged start a little inside. A quarter of the way to the node behind the
// face is far from the other side of the body.
double allowance(const Face& face, double height_behind) {
  return face.behind < 0 ? 0 : 0.25 * std::abs(height_behind);
}

Near look(const Search& search, const ContactKey& key, const Face& face) {
  Near near{key, &face, {}};
  const auto start = nodes_at(key, search.start), end = nodes_at(key, search.x);
  near.at_x = nearest_vertex_face(end);
  const auto normal = face_normal(face, search.start);
  near.height = dot(normal, minus(start[0], start[1]));
  if (face.behind >= 0)
    near.inside = allowance(face, dot(normal, minus(vector_at(search.start, face.behind), start[1])));
  const auto at_start = nearest_vertex_face(start);
  near.at_start = at_start.distance;
  near.rounding = no_distance * size_of(start);
  if (face.behind >= 0 && near.height <= near.rounding && at_start.distance <= near.inside) {
    const auto feature = feature_of(search.pair, key, at_start, search.start, search.start);
    near.began_inside = geometry_of(feature, start).gap <= near.rounding;
    if (near.began_inside) near.met = 1;
  }
  if (near.met != 0 || at_start.distance > largest_approach(start, end, 1)) return near;
  for (const auto& touch : touches(ContactKind::vertex_face, start, end)) {
    near.met = touch.side != 0 ? touch.side : (near.height < 0 ? -1 : 1);
    if (face.behind < 0 || near.met > 0) break;
    near.met = 0;  // the vertex left the solid
  }
  return near;
}

// A vertex that began inside has come in where it is nearest to the surface.
void keep_nearest_start(std::vector<Near>& found) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& near : found) least = std::min(least, near.at_start);
  for (auto& near : found)
    if (near.began_inside && near.at_start > least + near.rounding) near.met = 0;
}

// Faces that have the nearest point in common, at an edge or corner to rounding, are one contact.
bool shares_point(const Search& search, const ContactKey& key, std::vector<Vector3>& points) {
  const auto nodes = nodes_at(key, search.x);
  const auto feature = feature_of(search.pair, key, nearest_vertex_face(nodes), search.start, search.x);
  const auto weights = geometry_of(feature, nodes).weights;
  const double rounding = no_distance * size_of(nodes);
  Vector3 at{};
  for (std::size_t k = 1; k < 4; ++k)
    for (std::size_t i = 0; i < 3; ++i) at[i] -= weights[k] * nodes[k][i];
  const bool known =
      std::ranges::any_of(points, [&](const Vector3& point) { return mesh::norm(minus(point, at)) <= rounding; });
  if (!known) points.push_back(at);
  return known;
}

// Which of the faces around the nearest edge or corner stands for all.
ContactKey of_owner(const Surface& surface, ContactKey key, unsigned active) {
  std::array<std::int32_t, 3> corners{};
  std::size_t count = 0;
  for (std::size_t k = 1; k < 4; ++k)
    if ((active >> k & 1U) != 0) corners[count++] = key.nodes[k];
  if (count == 3) return key;
  const auto around =
      count == 2 ? surface.faces_of_edge(surface.edge(corners[0], corners[1])) : surface.faces_of_vertex(corners[0]);
  const auto& nodes = surface.faces[static_cast<std::size_t>(*std::ranges::min_element(around))].nodes;
  std::ranges::copy(nodes, key.nodes.begin() + 1);
  return key;
}

// The contact with what is nearest, if it counts; `through`: the vertex met faces of this surface on its way, and none
// of them is what is nearest to it now.
void add_nearest(const Search& search, const Surface& surface, const Near& near, bool through,
                 std::vector<Vector3>& points, std::vector<ContactKey>& keys) {
  if (!through && near.at_x.distance >= search.reach) return;
  if (!is_nearest_around(surface, near.key, near.at_x, search.x, slack)) return;
  ContactKey key = of_owner(surface, near.key, near.at_x.active);
  const bool solid = near.face->behind >= 0;
  const bool outside_at_start = near.height >= -near.inside;
  key.side = static_cast<std::int8_t>(solid || near.height >= 0 ? 1 : -1);
  const auto feature =
      feature_of(search.pair, key, nearest_vertex_face(nodes_at(key, search.x)), search.start, search.x);
  const bool beyond = geometry_of(feature, nodes_at(key, search.x)).gap < 0;
  if (through ? solid && !outside_at_start : beyond) return;  // not through: it came there around the surface
  if (!beyond && near.at_x.distance >= search.reach) return;
  if (!shares_point(search, key, points)) keys.push_back(key);
}

}  // namespace

void find_vertex_faces(const Search& search, const SweptSurface& vertices, const SweptSurface& faces,
                       std::vector<ContactKey>& out) {
  const Surface& surface = faces.surface();
  const auto is_held = [&](std::int32_t node) { return search.held[static_cast<std::size_t>(node)] != 0; };
  collect(vertices.surface().vertices.size(), out, [&](std::size_t k, std::vector<ContactKey>& keys) {
    const auto vertex = vertices.surface().vertices[k];
    std::vector<Near> found;
    std::vector<Vector3> points;
    bool through = false, held_back = false;
    faces.faces().visit_all(swept_box(std::span(&vertex, 1), search.start, search.x), [&](std::size_t f) {
      const Face& face = surface.faces[f];
      if (std::ranges::find(face.nodes, vertex) != face.nodes.end()) return;
      if (is_held(vertex) && std::ranges::all_of(face.nodes, is_held)) return;
      const ContactKey key{
          search.number, ContactKind::vertex_face, 1, {vertex, face.nodes[0], face.nodes[1], face.nodes[2]}};
      found.push_back(look(search, key, face));
    });
    keep_nearest_start(found);
    for (auto& near : found) {
      if (near.met == 0) continue;
      near.key.side = static_cast<std::int8_t>(near.met);
      if (!shares_point(search, near.key, points)) keys.push_back(near.key);
      through = true;
      held_back = held_back || is_nearest_around(surface, near.key, near.at_x, search.x, 0);
    }
    for (const auto& near : found)
      if (near.met == 0) add_nearest(search, surface, near, through && !held_back, points, keys);
  });
}

}  // namespace proxima::contact
