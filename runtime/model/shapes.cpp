#include "runtime/model/shapes.hpp"

#include <fmt/format.h>

#include "runtime/mesh/vectors.hpp"

namespace proxima::model {
namespace {

std::string point_text(const Vector3& point) { return fmt::format("[{:g}, {:g}, {:g}]", point[0], point[1], point[2]); }

bool contains(const BoxShape& box, const Vector3& point, double margin) {
  for (int i = 0; i < 3; ++i) {
    if (point[i] < box.lower[i] - margin || point[i] > box.upper[i] + margin) return false;
  }
  return true;
}

bool contains(const SphereShape& sphere, const Vector3& point, double margin) {
  return mesh::norm(mesh::minus(point, sphere.centre)) <= sphere.radius + margin;
}

template <class Shape>
std::vector<std::int32_t> inside(const Shape& shape, std::span<const Vector3> points, const mesh::Box& bounds) {
  const double margin = 1e-9 * mesh::norm(mesh::minus(bounds.upper, bounds.lower));
  std::vector<std::int32_t> result;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (contains(shape, points[i], margin)) result.push_back(static_cast<std::int32_t>(i));
  }
  return result;
}

std::string outside(const std::string& shape, const mesh::Box& bounds) {
  return fmt::format("is inside {}; the mesh extends from {} to {}", shape, point_text(bounds.lower),
                     point_text(bounds.upper));
}

}  // namespace

std::vector<std::int32_t> points_inside(const BoxShape& box, std::span<const Vector3> points, const mesh::Box& bounds) {
  return inside(box, points, bounds);
}

std::vector<std::int32_t> points_inside(const SphereShape& sphere, std::span<const Vector3> points,
                                        const mesh::Box& bounds) {
  return inside(sphere, points, bounds);
}

std::string outside_text(const BoxShape& box, const mesh::Box& bounds) {
  return outside(fmt::format("the box {} to {}", point_text(box.lower), point_text(box.upper)), bounds);
}

std::string outside_text(const SphereShape& sphere, const mesh::Box& bounds) {
  return outside(fmt::format("the sphere of radius {:g} about {}", sphere.radius, point_text(sphere.centre)), bounds);
}

}  // namespace proxima::model
