// What is to be simulated, as plain values in SI units: a prepared mesh, its regions with energy and parameters, what
// holds it and what pulls on it. Built from a scene file (scene.hpp) or by hand; knows nothing of solvers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/ir/energy.hpp"
#include "runtime/mesh/mesh.hpp"

namespace proxima::model {

using mesh::Vector3;

// The tets that share one energy and one density.
struct Region {
  std::string name;
  std::shared_ptr<const ir::Energy> energy;
  std::vector<std::int32_t> tets;  // increasing
  // One entry a parameter of the energy, in its order: one value for the whole region, or one a tet of the region.
  std::vector<std::vector<double>> parameters;
  double density = 0;  // kg/m^3
};

// A rigid motion of held nodes relative to their rest positions: x = pivot + R (X - pivot) + translation, with
// translation and rotation vector interpolated linearly between key frames and held constant outside them.
struct KeyFrame {
  double time = 0;        // s
  Vector3 translation{};  // m
  Vector3 rotation{};     // axis times angle, rad
};

struct Dirichlet {
  std::vector<std::int32_t> nodes;
  Vector3 pivot{};
  std::vector<KeyFrame> motion;  // empty: stays where it is at rest
};

struct NodalForce {
  std::vector<std::int32_t> nodes;
  Vector3 force{};            // N, on each node
  double begin = 0, end = 0;  // acts in steps that end at a time t with begin < t <= end, s
};

struct Model {
  mesh::TetMesh mesh;                // prepared; rest positions are mesh.nodes
  std::vector<Region> regions;       // every tet in exactly one
  std::vector<Dirichlet> dirichlet;  // no node twice
  std::vector<NodalForce> forces;
  Vector3 gravity{};                       // m/s^2
  std::vector<double> initial_positions;   // 3 a node, m
  std::vector<double> initial_velocities;  // 3 a node, m/s
  double time_step = 0;                    // s
  int steps = 0;
};

// Where the held nodes are at time t: pairs (node, position), nodes increasing.
std::vector<std::pair<std::int32_t, Vector3>> dirichlet_positions(const Model& model, double time);

// External nodal forces (without gravity) in the step that ends at time t, 3 a node, N. `begin` and `end` are compared
// with a slack of 1e-9 steps, since k*h rounds.
std::vector<double> nodal_forces(const Model& model, double time);

// Lumped mass, kg: each tet's mass is shared equally by its four nodes.
std::vector<double> lumped_mass(const Model& model);

// The values a parameter may take, as a sentence part: "0 < nu < 0.5", "E finite".
std::string interval_text(const ir::Parameter& parameter);

// Throws Error for anything that cannot be simulated: a parameter outside its open interval (named, with region, value
// and interval), density <= 0, time step <= 0, a tet in no region or in two, a node held twice, all nodes held, sizes
// that do not agree.
void validate(const Model& model);

}  // namespace proxima::model
