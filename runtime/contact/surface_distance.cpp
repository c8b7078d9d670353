#include "runtime/contact/surface_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/contact/box_tree.hpp"
#include "runtime/contact/nearest.hpp"
#include "runtime/contact/surface.hpp"
#include "runtime/mesh/point_tree.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::dot;
using mesh::vector_at;

// Nearer to an edge or corner than this share of the surface's size the way to a point has no direction.
constexpr double touching = 1e-10;

model::Model model_of(const model::ClosedSurface& surface) {
  model::Model model;
  model.mesh.nodes = surface.nodes;
  auto& block = mesh::make_block(model.mesh, mesh::Shape::triangle);
  for (const auto& triangle : surface.triangles)
    block.elements.nodes.insert(block.elements.nodes.end(), triangle.begin(), triangle.end());
  block.tags.resize(surface.triangles.size());
  return model;
}

// The nodes that triangles have: others are near to nothing.
std::vector<Vector3> corners_of(const model::ClosedSurface& surface) {
  std::vector<char> used(surface.nodes.size());
  for (const auto& triangle : surface.triangles)
    for (const auto node : triangle) used[static_cast<std::size_t>(node)] = 1;
  std::vector<Vector3> result;
  for (std::size_t node = 0; node < used.size(); ++node)
    if (used[node] != 0) result.push_back(surface.nodes[node]);
  return result;
}

class TriangleDistance : public Distance {
 public:
  // Triangles of a closed surface agree in their turn already, so that Surface keeps them as they are.
  explicit TriangleDistance(const model::ClosedSurface& shape)
      : surface_(model_of(shape), {}, 0),
        corners_(corners_of(shape)),
        nearest_corner_(corners_),
        tree_(centres(shape)) {
    for (const auto& node : shape.nodes) x_.insert(x_.end(), node.begin(), node.end());
    std::vector<Bounds> boxes;
    boxes.reserve(surface_.faces.size());
    Bounds all{corners_[0], corners_[0]};
    for (const auto& face : surface_.faces) {
      Bounds box{vector_at(x_, face.nodes[0]), vector_at(x_, face.nodes[0])};
      for (const auto node : face.nodes) box.add({vector_at(x_, node), vector_at(x_, node)});
      boxes.push_back(box);
      all.add(box);
    }
    tree_.fit(boxes);
    size_ = mesh::norm(mesh::minus(all.upper, all.lower));
  }

  void set_values(const model::Obstacle&) override {}

  void evaluate(std::span<const Vector3> points, std::span<Nearest> nearest) const override {
    for (std::size_t k = 0; k < points.size(); ++k) nearest[k] = find(points[k]).nearest;
  }

  // The gap moves with the normal. The normal of a face is fixed; beside an edge it turns about it, and at a corner
  // both ways: (1 - n n^T - t t^T) dx / gap with t along the edge.
  void pull_back(std::span<const Vector3> points, std::span<const Nearest> bars, std::span<Vector3> by_point,
                 std::vector<std::vector<double>>*) const override {
    for (std::size_t k = 0; k < points.size(); ++k) {
      const auto found = find(points[k]);
      const auto& [gap, normal] = found.nearest;
      for (std::size_t i = 0; i < 3; ++i) by_point[k][i] += bars[k].gap * normal[i];
      if (found.corners == 3 || std::abs(gap) <= touching * size_) continue;
      const double outwards = dot(normal, bars[k].normal), along = dot(found.along, bars[k].normal);
      for (std::size_t i = 0; i < 3; ++i)
        by_point[k][i] += (bars[k].normal[i] - outwards * normal[i] - along * found.along[i]) / gap;
    }
  }

 private:
  struct Found {
    Nearest nearest;
    int corners = 3;  // of the face, the edge or the corner that is nearest
    Vector3 along{};  // of an edge
  };

  static std::vector<Vector3> centres(const model::ClosedSurface& shape) {
    std::vector<Vector3> result;
    result.reserve(shape.triangles.size());
    for (const auto& triangle : shape.triangles) {
      Vector3 sum{};
      for (const auto node : triangle)
        for (std::size_t i = 0; i < 3; ++i) sum[i] += shape.nodes[static_cast<std::size_t>(node)][i] / 3;
      result.push_back(sum);
    }
    return result;
  }

  Found find(const Vector3& point) const {
    // No triangle that is farther than the nearest corner of one needs a look.
    const Vector3& corner = corners_[nearest_corner_.nearest(point)];
    const double reach = mesh::norm(mesh::minus(point, corner)) * (1 + 1e-12) + touching * size_;
    Closest best{0, std::numeric_limits<double>::infinity()};
    std::size_t face = 0;
    tree_.visit_all({{point[0] - reach, point[1] - reach, point[2] - reach},
                     {point[0] + reach, point[1] + reach, point[2] + reach}},
                    [&](std::size_t candidate) {
                      const auto found = nearest_vertex_face(with_face(point, candidate));
                      const bool first = found.distance == best.distance && candidate < face;
                      if (!(found.distance < best.distance) && !first) return;
                      best = found;
                      face = candidate;
                    });
    return from(point, face, best);
  }

  Found from(const Vector3& point, std::size_t number, const Closest& closest) const {
    const Face& face = surface_.faces[number];
    std::vector<std::int32_t> active;
    for (unsigned k = 0; k < 3; ++k)
      if ((closest.active >> (k + 1) & 1U) != 0) active.push_back(face.nodes[k]);
    Found found;
    found.corners = static_cast<int>(active.size());
    const Vector3 from_first = mesh::minus(point, vector_at(x_, active[0]));
    if (found.corners == 3) {
      found.nearest.normal = face_normal(face, x_);
      found.nearest.gap = dot(found.nearest.normal, from_first);
      return found;
    }
    Vector3 outwards, way = from_first;
    if (found.corners == 2) {
      const Vector3 edge = mesh::minus(vector_at(x_, active[1]), vector_at(x_, active[0]));
      found.along = mesh::scaled(1 / mesh::norm(edge), edge);
      way = mesh::minus(from_first, mesh::scaled(dot(found.along, from_first), found.along));
      outwards = edge_normal(surface_, surface_.edge(active[0], active[1]), x_);
    } else {
      outwards = vertex_normal(surface_, active[0], x_);
    }
    const double distance = mesh::norm(way), sign = dot(way, outwards) < 0 ? -1 : 1;
    found.nearest.gap = sign * distance;
    found.nearest.normal = distance > touching * size_ ? mesh::scaled(sign / distance, way)
                                                       : mesh::scaled(1 / mesh::norm(outwards), outwards);
    return found;
  }

  Four with_face(const Vector3& point, std::size_t face) const {
    const auto& nodes = surface_.faces[face].nodes;
    return {point, vector_at(x_, nodes[0]), vector_at(x_, nodes[1]), vector_at(x_, nodes[2])};
  }

  Surface surface_;
  std::vector<Vector3> corners_;
  mesh::PointTree nearest_corner_;
  BoxTree tree_;
  std::vector<double> x_;
  double size_ = 0;
};

}  // namespace

std::unique_ptr<Distance> make_distance(const model::ClosedSurface& surface) {
  return std::make_unique<TriangleDistance>(surface);
}

}  // namespace proxima::contact
