// Loads on the surface of a body that depend on how it has moved. Triangles turn about the outward normal.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "runtime/mesh/mesh.hpp"
#include "runtime/model/signal.hpp"

namespace proxima::model {

// -p times the area along the present normal: it presses where p is positive.
struct FollowerPressure {
  Signal pressure;  // Pa
};

// What a fluid at rest or in even flow does to each triangle (Min, Won, Lee, Park and Lee, "SoftCon", 2019,
// section 3.2, as used by DiffPD section 7.4): with u the velocity of the fluid against the triangle, A its area, n its
// normal and the angle of attack phi = asin(n . u/|u|), the drag rho A |u|^2 C_d(phi)/2 along u and the thrust rho A
// |u|^2 C_t(phi)/2 along -n.
struct Hydrodynamics {
  // A coefficient at an angle; linear in between, constant outside.
  struct Coefficient {
    double angle = 0;  // rad
    double value = 0;
  };
  double density = 0;                     // of the fluid, kg/m^3
  mesh::Vector3 flow{};                   // its velocity, m/s
  std::vector<Coefficient> drag, thrust;  // angles increase
};

// Taken at the start of a step, from its positions and velocities, and held during the step.
struct SurfaceLoad {
  mesh::Elements triangles;
  std::variant<FollowerPressure, Hydrodynamics> kind;
};

double coefficient_at(const std::vector<Hydrodynamics::Coefficient>& table, double angle);

// The force of a load on one triangle, N. `corners`: where they are, m; `velocity`: mean of the three, m/s.
mesh::Vector3 triangle_force(const SurfaceLoad& load, const std::array<mesh::Vector3, 3>& corners,
                             const mesh::Vector3& velocity, double time);

// Adds the load's force on each node, N, a third of its triangles' each; `x`, `v` and `force` have 3 scalars a node.
void add_force(const SurfaceLoad& load, double time, std::span<const double> x, std::span<const double> v,
               std::span<double> force);

// Derivatives by what a load is given by: a pressure's keys, or what Hydrodynamics has in their place.
struct SurfaceLoadGradient {
  std::vector<double> pressure;  // one a key
  double density = 0;
  mesh::Vector3 flow{};
  std::vector<double> drag, thrust;  // by the values of the tables
};
SurfaceLoadGradient zero_gradient(const SurfaceLoad& load);

// Adds the derivatives of z . force, force as add_force() makes it, by positions, velocities and what the load is given
// by. Where the flow meets a triangle straight on, the angle of attack has a kink: its derivative is taken as 0.
void add_force_pull_back(const SurfaceLoad& load, double time, std::span<const double> x, std::span<const double> v,
                         std::span<const double> z, std::span<double> by_x, std::span<double> by_v,
                         SurfaceLoadGradient& by_load);

// Whether a pressure on these triangles has a potential, p times the volume behind them: so it is where they have no
// rim, or one whose nodes are all held.
bool pressure_has_potential(const mesh::Elements& triangles, const std::vector<char>& held);

}  // namespace proxima::model
