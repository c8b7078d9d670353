#include "runtime/contact/surface.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::add;
using mesh::cross;
using mesh::dot;
using mesh::minus;
using mesh::scaled;
using mesh::vector_at;
using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

std::array<std::int32_t, 3> sorted(std::array<std::int32_t, 3> nodes) {
  std::ranges::sort(nodes);
  return nodes;
}

struct Range {
  std::int32_t first, count;
};
Range nodes_of(const model::Model& model, std::int32_t body) {
  if (model.bodies.empty()) return {0, static_cast<std::int32_t>(model.mesh.nodes.size())};
  const auto& found = model.bodies.at(static_cast<std::size_t>(body));
  return {found.first_node, found.nodes};
}

// A node of the face's solid that the face has not.
std::int32_t node_behind(const mesh::Mesh& mesh, const mesh::BoundaryFace& face) {
  for (const auto node : mesh::elements(mesh, face.shape).of(face.element))
    if (std::find(face.corners.begin(), face.corners.end(), node) == face.corners.end()) return node;
  return -1;
}

std::vector<Face> faces_of(const model::Model& model, std::span<const mesh::BoundaryFace> boundary,
                           const Range& range) {
  const auto inside = [&](std::int32_t node) { return node >= range.first && node < range.first + range.count; };
  std::vector<Face> faces;
  for (const auto& side : boundary)
    if (inside(side.corners[0]))
      for (std::size_t i = 2; i < static_cast<std::size_t>(side.count); ++i)
        faces.push_back({{side.corners[0], side.corners[i - 1], side.corners[i]}, node_behind(model.mesh, side)});
  std::vector<std::array<std::int32_t, 3>> known;
  known.reserve(faces.size());
  for (const auto& face : faces) known.push_back(sorted(face.nodes));
  std::ranges::sort(known);
  const auto& triangles = mesh::elements(model.mesh, mesh::Shape::triangle);
  for (std::size_t t = 0; t < triangles.count(); ++t) {
    const auto nodes = triangles.of(t);
    const Face face{{nodes[0], nodes[1], nodes[2]}, -1};
    if (inside(nodes[0]) && !std::ranges::binary_search(known, sorted(face.nodes))) faces.push_back(face);
  }
  return faces;
}

std::vector<std::array<std::int32_t, 2>> edges_of(const model::Model& model, const Range& range,
                                                  const std::vector<Face>& faces) {
  std::vector<std::array<std::int32_t, 2>> edges;
  const auto add = [&](std::int32_t a, std::int32_t b) { edges.push_back({std::min(a, b), std::max(a, b)}); };
  for (const auto& face : faces)
    for (std::size_t c = 0; c < 3; ++c) add(face.nodes[c], face.nodes[(c + 1) % 3]);
  const auto& own = mesh::elements(model.mesh, mesh::Shape::edge);
  for (std::size_t e = 0; e < own.count(); ++e)
    if (const auto nodes = own.of(e); nodes[0] >= range.first && nodes[0] < range.first + range.count)
      add(nodes[0], nodes[1]);
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

bool goes_from_to(const Face& face, std::int32_t a, std::int32_t b) {
  for (std::size_t c = 0; c < 3; ++c)
    if (face.nodes[c] == a) return face.nodes[(c + 1) % 3] == b;
  return false;
}

Pairs vertex_pairs(std::int32_t first, const std::vector<Face>& faces) {
  Pairs pairs;
  pairs.reserve(3 * faces.size());
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (const auto node : faces[f].nodes) pairs.emplace_back(node - first, static_cast<std::int32_t>(f));
  return pairs;
}

Pairs vertex_pairs(std::int32_t first, const std::vector<std::array<std::int32_t, 2>>& edges) {
  Pairs pairs;
  pairs.reserve(2 * edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (const auto node : edges[e]) pairs.emplace_back(node - first, static_cast<std::int32_t>(e));
  return pairs;
}

Pairs edge_pairs(const std::vector<std::array<std::int32_t, 2>>& edges, const std::vector<Face>& faces) {
  Pairs pairs;
  pairs.reserve(3 * faces.size());
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (std::size_t c = 0; c < 3; ++c) {
      const auto a = faces[f].nodes[c], b = faces[f].nodes[(c + 1) % 3];
      const auto found = std::ranges::lower_bound(edges, std::array{std::min(a, b), std::max(a, b)});
      pairs.emplace_back(static_cast<std::int32_t>(found - edges.begin()), static_cast<std::int32_t>(f));
    }
  return pairs;
}

// Turns the triangles of a sheet so that two at an edge go along it in opposite directions, from the first of each
// piece on.
void turn_alike(std::vector<Face>& faces, const std::vector<std::array<std::int32_t, 2>>& edges,
                const Lists& edge_faces) {
  std::vector<char> seen(faces.size(), 0);
  std::vector<std::int32_t> open;
  for (std::size_t first = 0; first < faces.size(); ++first) {
    if (seen[first] != 0 || faces[first].behind >= 0) continue;
    seen[first] = 1;
    open.push_back(static_cast<std::int32_t>(first));
    while (!open.empty()) {
      const auto& face = faces[static_cast<std::size_t>(open.back())];
      const auto number = open.back();
      open.pop_back();
      for (std::size_t c = 0; c < 3; ++c) {
        const auto a = face.nodes[c], b = face.nodes[(c + 1) % 3];
        const auto found = std::ranges::lower_bound(edges, std::array{std::min(a, b), std::max(a, b)});
        const auto around = edge_faces.of(static_cast<std::int32_t>(found - edges.begin()));
        if (around.size() != 2) continue;
        const auto next = static_cast<std::size_t>(around[0] == number ? around[1] : around[0]);
        if (seen[next] != 0 || faces[next].behind >= 0) continue;
        if (goes_from_to(faces[next], a, b)) std::swap(faces[next].nodes[1], faces[next].nodes[2]);
        seen[next] = 1;
        open.push_back(static_cast<std::int32_t>(next));
      }
    }
  }
}

}  // namespace

Lists::Lists(std::size_t lists, std::span<const std::pair<std::int32_t, std::int32_t>> pairs)
    : first_(lists + 1, 0), numbers_(pairs.size()) {
  for (const auto& [list, number] : pairs) ++first_[static_cast<std::size_t>(list) + 1];
  for (std::size_t k = 0; k < lists; ++k) first_[k + 1] += first_[k];
  auto next = first_;
  for (const auto& [list, number] : pairs) numbers_[next[static_cast<std::size_t>(list)]++] = number;
}

Surface::Surface(const model::Model& model, std::span<const mesh::BoundaryFace> boundary, std::int32_t body)
    : faces(faces_of(model, boundary, nodes_of(model, body))),
      edges(edges_of(model, nodes_of(model, body), faces)),
      first_(nodes_of(model, body).first),
      count_(nodes_of(model, body).count),
      vertex_faces_(static_cast<std::size_t>(count_), vertex_pairs(first_, faces)),
      vertex_edges_(static_cast<std::size_t>(count_), vertex_pairs(first_, edges)),
      edge_faces_(edges.size(), edge_pairs(edges, faces)) {
  turn_alike(faces, edges, edge_faces_);
  for (std::int32_t node = first_; node < first_ + count_; ++node)
    if (!edges_of_vertex(node).empty()) vertices.push_back(node);
  for (std::size_t e = 0; e < edges.size(); ++e) has_sheets_ |= !is_solid(static_cast<std::int32_t>(e));
}

std::int32_t Surface::face(std::int32_t a, std::int32_t b, std::int32_t c) const {
  for (const auto f : faces_of_vertex(a))
    if (sorted(faces[static_cast<std::size_t>(f)].nodes) == sorted({a, b, c})) return f;
  return -1;
}

std::int32_t Surface::edge(std::int32_t a, std::int32_t b) const {
  const auto found = std::ranges::lower_bound(edges, std::array{std::min(a, b), std::max(a, b)});
  if (found == edges.end() || *found != std::array{std::min(a, b), std::max(a, b)}) return -1;
  return static_cast<std::int32_t>(found - edges.begin());
}

bool Surface::is_solid(std::int32_t edge) const {
  const auto around = faces_of_edge(edge);
  return !around.empty() &&
         std::ranges::all_of(around, [&](std::int32_t f) { return faces[static_cast<std::size_t>(f)].behind >= 0; });
}

Vector3 face_normal(const Face& face, std::span<const double> x) {
  const auto a = vector_at(x, face.nodes[0]);
  const auto m = cross(minus(vector_at(x, face.nodes[1]), a), minus(vector_at(x, face.nodes[2]), a));
  const double area = std::sqrt(dot(m, m));
  return area > 0 ? scaled(1 / area, m) : Vector3{};
}

Vector3 edge_normal(const Surface& surface, std::int32_t edge, std::span<const double> x) {
  Vector3 sum{};
  for (const auto f : surface.faces_of_edge(edge)) {
    add(sum, 1, face_normal(surface.faces[static_cast<std::size_t>(f)], x));
  }
  return sum;
}

Vector3 vertex_normal(const Surface& surface, std::int32_t node, std::span<const double> x) {
  Vector3 sum{};
  const auto at = vector_at(x, node);
  for (const auto f : surface.faces_of_vertex(node)) {
    const auto& face = surface.faces[static_cast<std::size_t>(f)];
    const auto c = static_cast<std::size_t>(std::ranges::find(face.nodes, node) - face.nodes.begin());
    const auto u = minus(vector_at(x, face.nodes[(c + 1) % 3]), at),
               v = minus(vector_at(x, face.nodes[(c + 2) % 3]), at);
    const auto m = cross(u, v);
    const double angle = std::atan2(std::sqrt(dot(m, m)), dot(u, v));
    add(sum, angle, face_normal(face, x));
  }
  return sum;
}

bool is_rim_edge(const Surface& surface, std::int32_t edge) { return surface.faces_of_edge(edge).size() != 2; }

bool is_rim_vertex(const Surface& surface, std::int32_t node) {
  return std::ranges::any_of(surface.edges_of_vertex(node), [&](std::int32_t e) { return is_rim_edge(surface, e); });
}

Vector3 into_face(const Face& face, const std::array<std::int32_t, 2>& edge, std::span<const double> x) {
  auto opposite = face.nodes[0];
  for (const auto node : face.nodes)
    if (node != edge[0] && node != edge[1]) opposite = node;
  const auto a = vector_at(x, edge[0]), u = minus(vector_at(x, edge[1]), a), d = minus(vector_at(x, opposite), a);
  const double whole = dot(u, u);
  return whole > 0 ? minus(d, scaled(dot(u, d) / whole, u)) : d;
}

}  // namespace proxima::contact
