#include "runtime/mesh/attachment.hpp"

#include <algorithm>

#include "runtime/mesh/closest_point.hpp"
#include "runtime/mesh/shape_functions.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::mesh {
namespace {

constexpr double just_outside = 1e-9;  // in shape functions: rounding on a face between two solids

std::vector<Vector3> at(std::span<const double> positions, std::span<const std::int32_t> nodes) {
  std::vector<Vector3> result;
  result.reserve(nodes.size());
  for (const auto node : nodes) result.push_back(vector_at(positions, node));
  return result;
}

// How far the box about some nodes is from a point.
double box_distance(std::span<const double> positions, std::span<const std::int32_t> nodes, const Vector3& from) {
  Vector3 away{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto coordinate = [&](std::int32_t node) { return positions[3 * static_cast<std::size_t>(node) + i]; };
    double lower = coordinate(nodes[0]), upper = lower;
    for (const auto node : nodes) {
      lower = std::min(lower, coordinate(node));
      upper = std::max(upper, coordinate(node));
    }
    away[i] = std::max({lower - from[i], from[i] - upper, 0.0});
  }
  return norm(away);
}

// Unit vectors: along the first side, across it in the triangle, and out of it; what they were made of for derivatives.
struct Axes {
  Vector3 side, other, normal;  // of any length
  Vector3 t, s, n;
};
Axes axes_of(const Attachment& attachment, std::span<const Vector3> corners) {
  const auto& [a, b, c] = attachment.triangle;
  Axes axes{minus(corners[b], corners[a]), minus(corners[c], corners[a]), {}, {}, {}, {}};
  axes.normal = cross(axes.side, axes.other);
  axes.t = scaled(1 / norm(axes.side), axes.side);
  axes.n = scaled(1 / norm(axes.normal), axes.normal);
  axes.s = cross(axes.n, axes.t);
  return axes;
}

Vector3 weighted(const std::vector<double>& weights, std::span<const Vector3> corners) {
  Vector3 sum = corners[0];
  for (std::size_t k = 1; k < corners.size(); ++k) add(sum, weights[k], minus(corners[k], corners[0]));
  return sum;
}

class Search {
 public:
  Search(const Mesh& mesh, std::span<const double> positions)
      : mesh_(mesh), positions_(positions), faces_(boundary_faces(mesh)) {}

  Attachment operator()(const Vector3& point) {
    point_ = point;
    best_ = {};
    for (const auto& [elements, tags] : mesh_.blocks)
      if (shape_row(elements.shape).dimension == 3 && inside(elements)) return best_;
    for (const auto& face : faces_) try_face(face);
    for (const auto& [elements, tags] : mesh_.blocks)
      for (std::size_t e = 0; e < elements.count(); ++e) {
        if (elements.shape == Shape::triangle) try_triangle(elements.of(e), {}, Shape::triangle);
        if (elements.shape == Shape::edge) try_edge(elements.of(e));
      }
    set_offset();
    return best_;
  }

 private:
  // The first is, however far: a distance may be more than numbers reach.
  bool is_nearer(double distance) const { return best_.nodes.empty() || distance < best_.distance; }

  bool inside(const Elements& solids) {
    for (std::size_t e = 0; e < solids.count(); ++e) {
      if (box_distance(positions_, solids.of(e), point_) > 0) continue;
      auto shares = shares_at(solids.shape, at(positions_, solids.of(e)), point_);
      if (!shares || std::ranges::min(*shares) < -just_outside) continue;
      best_ = {{solids.of(e).begin(), solids.of(e).end()}, std::move(*shares), {}, {}, 0};
      return true;
    }
    return false;
  }

  void try_face(const BoundaryFace& face) {
    const auto solid = elements(mesh_, face.shape).of(face.element);
    for (std::size_t i = 2; i < static_cast<std::size_t>(face.count); ++i)
      try_triangle(std::array{face.corners[0], face.corners[i - 1], face.corners[i]}, solid, face.shape);
  }

  // `solid`: the nodes of the one whose face the triangle is of, none: of none.
  void try_triangle(std::span<const std::int32_t> nodes, std::span<const std::int32_t> solid, Shape shape) {
    if (!is_nearer(box_distance(positions_, nodes, point_))) return;
    const auto corners = at(positions_, nodes);
    const auto found = closest_in_triangle(point_, {corners[0], corners[1], corners[2]});
    if (!is_nearer(found.distance)) return;
    best_ = {{nodes.begin(), nodes.end()}, {found.shares.begin(), found.shares.end()}, {}, {0, 1, 2}, found.distance};
    if (shape != Shape::hexahedron) return;
    // A face of four corners is no two triangles.
    const auto whole = at(positions_, solid);
    auto shares = shares_at(shape, whole, weighted(best_.weights, corners));
    if (!shares) return;
    best_.nodes.assign(solid.begin(), solid.end());
    best_.weights = std::move(*shares);
    for (std::size_t k = 0; k < 3; ++k)
      best_.triangle[k] = static_cast<std::size_t>(std::ranges::find(solid, nodes[k]) - solid.begin());
  }

  void try_edge(std::span<const std::int32_t> nodes) {
    if (!is_nearer(box_distance(positions_, nodes, point_))) return;
    const auto ends = at(positions_, nodes);
    const auto [share, distance] = closest_on_segment(point_, ends[0], ends[1]);
    if (is_nearer(distance)) best_ = {{nodes.begin(), nodes.end()}, {1 - share, share}, {}, {}, distance};
  }

  void set_offset() {
    const auto corners = at(positions_, best_.nodes);
    best_.offset = minus(point_, weighted(best_.weights, corners));
    if (!best_.turns()) return;
    const auto axes = axes_of(best_, corners);
    best_.offset = {dot(axes.t, best_.offset), dot(axes.s, best_.offset), dot(axes.n, best_.offset)};
  }

  const Mesh& mesh_;
  std::span<const double> positions_;
  std::vector<BoundaryFace> faces_;
  Vector3 point_{};
  Attachment best_;
};

}  // namespace

std::vector<Attachment> attach(const Mesh& mesh, std::span<const double> positions, std::span<const Vector3> points) {
  Search nearest(mesh, positions);
  std::vector<Attachment> result;
  result.reserve(points.size());
  for (const auto& point : points) result.push_back(nearest(point));
  return result;
}

Vector3 attached_point(const Attachment& attachment, std::span<const Vector3> corners) {
  Vector3 point = weighted(attachment.weights, corners);
  const auto& offset = attachment.offset;
  if (!attachment.turns()) {
    add(point, 1, offset);
    return point;
  }
  const auto axes = axes_of(attachment, corners);
  add(point, offset[0], axes.t);
  add(point, offset[1], axes.s);
  add(point, offset[2], axes.n);
  return point;
}

Vector3 attached_point(const Attachment& attachment, std::span<const double> positions) {
  return attached_point(attachment, at(positions, attachment.nodes));
}

std::vector<Vector3> corner_derivatives(const Attachment& attachment, std::span<const Vector3> corners,
                                        const Vector3& by_point) {
  std::vector<Vector3> result;
  result.reserve(corners.size());
  for (const double weight : attachment.weights) result.push_back(scaled(weight, by_point));
  if (!attachment.turns()) return result;
  const auto axes = axes_of(attachment, corners);
  const auto& offset = attachment.offset;
  // s = n x t, each of unit length: backward through that, the two quotients, and the cross product of the sides.
  Vector3 by_t = scaled(offset[0], by_point), by_n = scaled(offset[2], by_point);
  add(by_t, offset[1], cross(by_point, axes.n));
  add(by_n, offset[1], cross(axes.t, by_point));
  add(by_t, -dot(axes.t, by_t), axes.t);
  add(by_n, -dot(axes.n, by_n), axes.n);
  const Vector3 by_normal = scaled(1 / norm(axes.normal), by_n);
  Vector3 by_side = cross(axes.other, by_normal);
  add(by_side, 1 / norm(axes.side), by_t);
  const Vector3 by_other = cross(by_normal, axes.side);
  const auto& [a, b, c] = attachment.triangle;
  add(result[b], 1, by_side);
  add(result[c], 1, by_other);
  add(result[a], -1, by_side);
  add(result[a], -1, by_other);
  return result;
}

}  // namespace proxima::mesh
