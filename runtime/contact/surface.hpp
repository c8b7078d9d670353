// The surface of a body: what of it can touch and be touched. Internal to the room.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/contact/nearest.hpp"
#include "runtime/model/model.hpp"

namespace proxima::contact {

// Lists of numbers, one after the other.
class Lists {
 public:
  // pairs (list, number), each list in the order in which its numbers come.
  Lists(std::size_t lists, std::span<const std::pair<std::int32_t, std::int32_t>> pairs);
  std::span<const std::int32_t> of(std::int32_t list) const {
    const auto k = static_cast<std::size_t>(list);
    return std::span(numbers_).subspan(first_[k], first_[k + 1] - first_[k]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::int32_t> numbers_;
};

struct Face {
  std::array<std::int32_t, 3> nodes{};
  std::int32_t behind = -1;  // a node of the solid that the face bounds; -1: a sheet, which has two sides
};

// Faces are those that bound the body's solids, outwards, and its triangles that are none of these, turned so that
// neighbours agree where they can. Edges are theirs and the body's own; vertices are the ends of all edges.
class Surface {
 public:
  // `boundary` is that of the model's mesh.
  Surface(const model::Model& model, std::span<const mesh::BoundaryFace> boundary, std::int32_t body);

  std::vector<Face> faces;
  std::vector<std::array<std::int32_t, 2>> edges;  // the lower node first, increasing
  std::vector<std::int32_t> vertices;              // increasing

  bool has(std::int32_t node) const { return node >= first_ && node < first_ + count_; }
  bool has_sheets() const { return has_sheets_; }  // faces or edges without a solid behind them
  std::span<const std::int32_t> faces_of_vertex(std::int32_t node) const { return vertex_faces_.of(node - first_); }
  std::span<const std::int32_t> edges_of_vertex(std::int32_t node) const { return vertex_edges_.of(node - first_); }
  std::span<const std::int32_t> faces_of_edge(std::int32_t edge) const { return edge_faces_.of(edge); }
  // -1 where there is none.
  std::int32_t face(std::int32_t a, std::int32_t b, std::int32_t c) const;
  std::int32_t edge(std::int32_t a, std::int32_t b) const;
  // Nothing but its own two ends: an edge that no face has.
  bool is_bare(std::int32_t edge) const { return faces_of_edge(edge).empty(); }
  bool is_solid(std::int32_t edge) const;  // all its faces bound solids, and it has some

 private:
  std::int32_t first_ = 0, count_ = 0;
  bool has_sheets_ = false;
  Lists vertex_faces_, vertex_edges_, edge_faces_;
};

// Of a face, unit; zero where it has no area.
Vector3 face_normal(const Face& face, std::span<const double> x);
// The sum of the unit normals of the faces at an edge; those at a vertex are weighted by their angles (Baerentzen and
// Aanaes 2005), so that the sign of its product with what leads from there to a point tells the point's side.
Vector3 edge_normal(const Surface& surface, std::int32_t edge, std::span<const double> x);
Vector3 vertex_normal(const Surface& surface, std::int32_t node, std::span<const double> x);
// Whether the vertex or edge is the rim of a sheet, which has no sides.
bool is_rim_edge(const Surface& surface, std::int32_t edge);
bool is_rim_vertex(const Surface& surface, std::int32_t node);

// Into a face from an edge of it, at a right angle to the edge; of any length.
Vector3 into_face(const Face& face, const std::array<std::int32_t, 2>& edge, std::span<const double> x);

}  // namespace proxima::contact
