#include "runtime/model/surface_load.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/mesh/edges.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::model {
namespace {

using mesh::Vector3;

// Half the cross product of two edges: the area times the outward normal.
Vector3 area_vector(const std::array<Vector3, 3>& corners) {
  return mesh::scaled(0.5, mesh::cross(mesh::minus(corners[1], corners[0]), mesh::minus(corners[2], corners[0])));
}

struct Force {
  const Vector3& area;
  const Vector3& velocity;
  double time;

  Vector3 operator()(const FollowerPressure& load) const {
    const double pressure = signal_value(load.pressure, time);
    return {-pressure * area[0], -pressure * area[1], -pressure * area[2]};
  }

  Vector3 operator()(const Hydrodynamics& load) const {
    const Vector3 u = mesh::minus(load.flow, velocity);
    const double speed = mesh::norm(u), size = mesh::norm(area);
    if (speed == 0 || size == 0) return {};
    const double angle = std::asin(std::clamp(mesh::dot(area, u) / (size * speed), -1.0, 1.0));
    const double scale = load.density * speed * speed / 2;
    const double along_flow = scale * size * coefficient_at(load.drag, angle) / speed;
    const double along_normal = -scale * coefficient_at(load.thrust, angle);
    Vector3 force;
    for (std::size_t i = 0; i < 3; ++i) force[i] = along_flow * u[i] + along_normal * area[i];
    return force;
  }
};

}  // namespace

double coefficient_at(const std::vector<Hydrodynamics::Coefficient>& table, double angle) {
  const auto next = std::upper_bound(table.begin(), table.end(), angle,
                                     [](double a, const Hydrodynamics::Coefficient& entry) { return a < entry.angle; });
  if (next == table.begin()) return table.front().value;
  if (next == table.end()) return table.back().value;
  const auto& before = *(next - 1);
  return before.value + (angle - before.angle) / (next->angle - before.angle) * (next->value - before.value);
}

Vector3 triangle_force(const SurfaceLoad& load, const std::array<Vector3, 3>& corners, const Vector3& velocity,
                       double time) {
  return std::visit(Force{area_vector(corners), velocity, time}, load.kind);
}

void add_force(const SurfaceLoad& load, double time, std::span<const double> x, std::span<const double> v,
               std::span<double> force) {
  for (std::size_t t = 0; t < load.triangles.count(); ++t) {
    const auto triangle = load.triangles.of(t);
    std::array<Vector3, 3> corners;
    Vector3 velocity{};
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t at = 3 * static_cast<std::size_t>(triangle[k]) + i;
        corners[k][i] = x[at];
        velocity[i] += v[at] / 3;
      }
    const Vector3 whole = triangle_force(load, corners, velocity, time);
    for (const auto node : triangle)
      for (std::size_t i = 0; i < 3; ++i) force[3 * static_cast<std::size_t>(node) + i] += whole[i] / 3;
  }
}

bool pressure_has_potential(const mesh::Elements& triangles, const std::vector<char>& held) {
  bool result = true;
  mesh::for_each_edge(mesh::sorted_sides(triangles), [&](std::span<const mesh::Side> sides) {
    const auto forward = std::count_if(sides.begin(), sides.end(), [](const mesh::Side& side) { return side.forward; });
    const bool inner = 2 * static_cast<std::size_t>(forward) == sides.size();  // as often one way as the other
    result = result &&
             (inner || (held[static_cast<std::size_t>(sides[0].low)] && held[static_cast<std::size_t>(sides[0].high)]));
  });
  return result;
}

}  // namespace proxima::model
