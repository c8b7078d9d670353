#include "runtime/model/surface_load.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace proxima::model {
namespace {

using mesh::Vector3;

Vector3 minus(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double norm(const Vector3& a) { return std::hypot(a[0], a[1], a[2]); }

// Half the cross product of two edges: the area times the outward normal.
Vector3 area_vector(const std::array<Vector3, 3>& corners) {
  const Vector3 a = minus(corners[1], corners[0]), b = minus(corners[2], corners[0]);
  return {(a[1] * b[2] - a[2] * b[1]) / 2, (a[2] * b[0] - a[0] * b[2]) / 2, (a[0] * b[1] - a[1] * b[0]) / 2};
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
    const Vector3 u = minus(load.flow, velocity);
    const double speed = norm(u), size = norm(area);
    if (speed == 0 || size == 0) return {};
    const double angle = std::asin(std::clamp(dot(area, u) / (size * speed), -1.0, 1.0));
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
  for (const auto& triangle : load.triangles) {
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

bool pressure_has_potential(const std::vector<Triangle>& triangles, const std::vector<char>& held) {
  // Along each edge, how often one way less how often the other way: zero within a surface.
  std::map<std::pair<std::int32_t, std::int32_t>, int> balance;
  for (const auto& triangle : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto a = triangle[k], b = triangle[(k + 1) % 3];
      balance[std::minmax(a, b)] += a < b ? 1 : -1;
    }
  return std::all_of(balance.begin(), balance.end(), [&](const auto& entry) {
    const auto& [edge, sum] = entry;
    return sum == 0 || (held[static_cast<std::size_t>(edge.first)] && held[static_cast<std::size_t>(edge.second)]);
  });
}

}  // namespace proxima::model
