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

Vector3 sum_of(double a, const Vector3& x, double b, const Vector3& y) {
  return {a * x[0] + b * y[0], a * x[1] + b * y[1], a * x[2] + b * y[2]};
}

KeyPlace place_in(const std::vector<Hydrodynamics::Coefficient>& table, double angle) {
  return place_among(table, angle, [](const Hydrodynamics::Coefficient& entry) { return entry.angle; });
}

double slope_at(const std::vector<Hydrodynamics::Coefficient>& table, double angle) {
  const KeyPlace place = place_in(table, angle);
  const auto &before = table[place.before], &after = table[place.after];
  return place.before == place.after ? 0 : (after.value - before.value) / (after.angle - before.angle);
}

// The derivatives of w . force on one triangle, by its area vector and mean velocity; adds those by the load.
struct ForcePullBack {
  const Vector3& area;
  const Vector3& velocity;
  const Vector3& w;
  double time;
  SurfaceLoadGradient& by_load;
  Vector3 by_area{}, by_velocity{};

  void operator()(const FollowerPressure& load) {
    by_area = mesh::scaled(-signal_value(load.pressure, time), w);
    add_signal_pull_back(load.pressure, time, -mesh::dot(w, area), by_load.pressure);
  }

  void operator()(const Hydrodynamics& load) {
    const Vector3 u = mesh::minus(load.flow, velocity);
    const double speed = mesh::norm(u), size = mesh::norm(area);
    if (speed == 0 || size == 0) return;
    const double sine = std::clamp(mesh::dot(area, u) / (size * speed), -1.0, 1.0), angle = std::asin(sine);
    const double along = mesh::dot(w, u), normal = mesh::dot(w, area), half = load.density / 2;
    const double drag = coefficient_at(load.drag, angle), thrust = coefficient_at(load.thrust, angle);
    // w . force = half (speed size drag along - speed^2 thrust normal)
    const double of_drag = half * speed * size * along, of_thrust = -half * speed * speed * normal;
    by_area = sum_of(half * speed * drag * along / size, area, -half * speed * speed * thrust, w);
    Vector3 by_u =
        sum_of(half * size * drag * along / speed - 2 * half * thrust * normal, u, half * speed * size * drag, w);
    if (const double cosine = std::sqrt(1 - sine * sine); cosine > 1e-7) {
      const double by_sine = (of_drag * slope_at(load.drag, angle) + of_thrust * slope_at(load.thrust, angle)) / cosine;
      const double scale = by_sine / (size * speed);
      by_area = sum_of(1, by_area, 1, sum_of(scale, u, -by_sine * sine / (size * size), area));
      by_u = sum_of(1, by_u, 1, sum_of(scale, area, -by_sine * sine / (speed * speed), u));
    }
    by_velocity = mesh::scaled(-1, by_u);
    by_load.flow = sum_of(1, by_load.flow, 1, by_u);
    by_load.density += (speed * size * along * drag - speed * speed * normal * thrust) / 2;
    add_key_pull_back(place_in(load.drag, angle), of_drag, by_load.drag);
    add_key_pull_back(place_in(load.thrust, angle), of_thrust, by_load.thrust);
  }
};

// A triangle's corners and the mean of their velocities.
struct TriangleState {
  std::array<Vector3, 3> corners;
  Vector3 velocity{};
};
TriangleState state_of(std::span<const std::int32_t> triangle, std::span<const double> x, std::span<const double> v) {
  TriangleState result;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t at = 3 * static_cast<std::size_t>(triangle[k]) + i;
      result.corners[k][i] = x[at];
      result.velocity[i] += v[at] / 3;
    }
  return result;
}

}  // namespace

double coefficient_at(const std::vector<Hydrodynamics::Coefficient>& table, double angle) {
  const KeyPlace place = place_in(table, angle);
  const auto &before = table[place.before], &after = table[place.after];
  return place.before == place.after ? before.value : before.value + place.share * (after.value - before.value);
}

Vector3 triangle_force(const SurfaceLoad& load, const std::array<Vector3, 3>& corners, const Vector3& velocity,
                       double time) {
  return std::visit(Force{area_vector(corners), velocity, time}, load.kind);
}

void add_force(const SurfaceLoad& load, double time, std::span<const double> x, std::span<const double> v,
               std::span<double> force) {
  for (std::size_t t = 0; t < load.triangles.count(); ++t) {
    const auto triangle = load.triangles.of(t);
    const auto [corners, velocity] = state_of(triangle, x, v);
    const Vector3 whole = triangle_force(load, corners, velocity, time);
    for (const auto node : triangle)
      for (std::size_t i = 0; i < 3; ++i) force[3 * static_cast<std::size_t>(node) + i] += whole[i] / 3;
  }
}

SurfaceLoadGradient zero_gradient(const SurfaceLoad& load) {
  SurfaceLoadGradient result;
  if (const auto* pressure = std::get_if<FollowerPressure>(&load.kind)) {
    result.pressure.resize(pressure->pressure.size());
  } else {
    const auto& fluid = std::get<Hydrodynamics>(load.kind);
    result.drag.resize(fluid.drag.size());
    result.thrust.resize(fluid.thrust.size());
  }
  return result;
}

void add_force_pull_back(const SurfaceLoad& load, double time, std::span<const double> x, std::span<const double> v,
                         std::span<const double> z, std::span<double> by_x, std::span<double> by_v,
                         SurfaceLoadGradient& by_load) {
  for (std::size_t t = 0; t < load.triangles.count(); ++t) {
    const auto triangle = load.triangles.of(t);
    const auto [corners, velocity] = state_of(triangle, x, v);
    const Vector3 area = area_vector(corners);
    Vector3 w{};
    for (const auto node : triangle)
      for (std::size_t i = 0; i < 3; ++i) w[i] += z[3 * static_cast<std::size_t>(node) + i] / 3;
    ForcePullBack pull{area, velocity, w, time, by_load};
    std::visit(pull, load.kind);
    // area = (x_1 - x_0) x (x_2 - x_0) / 2
    const Vector3 one = mesh::scaled(0.5, mesh::cross(mesh::minus(corners[2], corners[0]), pull.by_area));
    const Vector3 two = mesh::scaled(0.5, mesh::cross(pull.by_area, mesh::minus(corners[1], corners[0])));
    const std::array by_corner = {sum_of(-1, one, -1, two), one, two};
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t at = 3 * static_cast<std::size_t>(triangle[k]) + i;
        by_x[at] += by_corner[k][i];
        by_v[at] += pull.by_velocity[i] / 3;
      }
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
