// What is to be simulated, as plain values in SI units: a prepared mesh, its regions with energy and parameters, what
// holds it and what pulls on it. Built from a scene file (scene.hpp) or by hand; knows nothing of solvers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/ir/energy.hpp"
#include "runtime/mesh/mesh.hpp"
#include "runtime/model/body.hpp"
#include "runtime/model/contact.hpp"
#include "runtime/model/controller.hpp"
#include "runtime/model/integrator.hpp"
#include "runtime/model/key_frame.hpp"
#include "runtime/model/obstacle.hpp"
#include "runtime/model/signal.hpp"
#include "runtime/model/surface_load.hpp"
#include "runtime/model/tie.hpp"

namespace proxima::model {

using mesh::Vector3;

// Rayleigh damping (DiffPhD eq. 30): the forces -mass M v and, for small motions, -stiffness K v with the stiffness
// matrix K of the region's energy at rest; see derive::rayleigh_dissipation for large ones, and for what spins.
struct Damping {
  double mass = 0;                  // 1/s, of what mass the region brings
  std::vector<double> stiffness{};  // s: none, one value for the region, or one an element
};

// Elements that share one energy and one density.
struct Region {
  std::string name;
  std::shared_ptr<const ir::Energy> energy;
  mesh::Elements elements;
  // Of each element, increasing: its number in the mesh's block of that shape. None where the mesh does not list the
  // elements, as springs between nodes or hinges between triangles.
  std::vector<std::int32_t> numbers;
  // One entry a parameter of the energy, in its order: one value for the whole region, or one an element. Where the
  // parameter has a signal, one value that is not used.
  std::vector<std::vector<double>> parameters;
  double density = 0;  // kg/m^3; kg/m^2 of triangles, kg/m of edges, both may be 0; 0 of hinges, stencils and points
  // A further energy on elements that another region owns; it brings no mass, its density is 0.
  bool overlay = false;
  bool load = false;  // its energy is the potential of a load from outside: nothing that the body stores
  // None, or one entry a parameter: key frames where its value varies in time, else empty.
  std::vector<Signal> signals{};
  // None, or one entry a parameter: whether a controller sets it. The value that `parameters` has for it then counts
  // only where no step is taken, as in preconditioners.
  std::vector<char> driven{};
  // None (the defaults of the energy), or one entry for each of its direction fields, in order: one vector for the
  // whole region, or one an element; of any length but zero. In the axes of space, also for triangles.
  std::vector<std::vector<Vector3>> directions{};
  Damping damping{};
  // None, or the density of each element over `density`, which then is their mean by volume.
  std::vector<double> relative_density{};
  // For messages: the body that has the elements, "" where there is one only, and of each element its number in the
  // body's own file; none: `numbers`.
  std::string body{};
  std::vector<std::int32_t> own_numbers{};
};
// Makes the elements of a region those of the mesh that have these numbers.
void set_elements(Region& region, const mesh::Mesh& mesh, mesh::Shape shape, std::vector<std::int32_t> numbers);
void set_elements(Region& region, const mesh::Mesh& mesh, mesh::Shape shape);  // all of them
// "tet 12 of body 'left'", counted in the body's file, or "hinge 3 of region 'cloth'".
std::string element_name(const Region& region, std::size_t element);
bool is_driven(const Region& region, std::size_t parameter);
bool varies_in_time(const Region& region, std::size_t parameter);  // driven, or given by key frames
// 1 where the region has one density.
double relative_density(const Region& region, std::size_t element);

// Held nodes move rigidly from their rest positions: x = pivot + R (X - pivot) + translation.
struct Dirichlet {
  std::vector<std::int32_t> nodes;
  Vector3 pivot{};
  std::vector<KeyFrame> motion;  // empty: stays where it is at rest
};

struct NodalForce {
  std::vector<std::int32_t> nodes;
  Vector3 force{};            // N, on each node, or times its share
  double begin = 0, end = 0;  // acts in steps that end at a time t with begin < t <= end, s
  // None, or one a node: its share of a total force, or, where `force` is a traction in Pa, its area in m^2.
  std::vector<double> share{};
  Signal factor{};  // of the force in time; none: 1
};

// How much of a region's volume each of its nodes carries, and with it mass.
enum class Lumping : std::uint8_t {
  shared,   // each element's, in equal parts among its nodes
  uniform,  // the mean volume of the region's elements, each node of it: DiffPD's, only for comparisons with it
};

struct Model {
  mesh::Mesh mesh;                   // prepared; rest positions are mesh.nodes
  std::vector<Body> bodies;          // one after the other in the mesh; none in a model made by hand
  std::vector<Region> regions;       // every solid of the mesh in exactly one that is no overlay, others in one at most
  std::vector<Dirichlet> dirichlet;  // no node twice
  std::vector<NodalForce> forces;
  std::vector<SurfaceLoad> surface_loads;
  std::vector<Controller> controllers;
  std::vector<Obstacle> obstacles;
  std::vector<ContactPair> contacts;  // none: nothing touches anything
  std::vector<Tie> ties;
  Vector3 gravity{};                       // m/s^2
  std::vector<double> initial_positions;   // 3 a node, m
  std::vector<double> initial_velocities;  // 3 a node, m/s
  Lumping lumping = Lumping::shared;
  double time_step = 0;  // s
  Integrator integrator = Integrator::implicit_euler;
  int steps = 0;
};

// Whether each node is held.
std::vector<char> held_nodes(const Model& model);

// Where the held nodes are at time t: pairs (node, position), nodes increasing.
std::vector<std::pair<std::int32_t, Vector3>> dirichlet_positions(const Model& model, double time);

// Derivatives of a number by the motions of held nodes, in the shape of Model::dirichlet: pivot and key frames, whose
// times are left out.
struct MotionGradient {
  Vector3 pivot{};
  std::vector<KeyFrame> motion;
};
std::vector<MotionGradient> zero_motion_gradient(const Model& model);
// Adds those that come by the positions of held nodes at time t, from the derivatives by these, 3 a node of the model;
// and to `rest` those by the rest positions of the held nodes.
void add_dirichlet_pull_back(const Model& model, double time, std::span<const double> bars,
                             std::vector<MotionGradient>& motions, std::span<double> rest);

// Whether a force acts in the step that ends at time t, and what its k-th node's part of it is.
bool acts(const NodalForce& force, double time, double time_step);
double share_of(const NodalForce& force, std::size_t k);
double factor_at(const NodalForce& force, double time);

// The two that touch, by their names; the only body of a model without names is "body".
std::array<std::string, 2> pair_names(const Model& model, const ContactPair& pair);

// External nodal forces (without gravity) in the step that ends at time t, 3 a node, N. `begin` and `end` are compared
// with a slack of 1e-9 steps, since k*h rounds.
std::vector<double> nodal_forces(const Model& model, double time);

// The volume, m^3 (m^2, m), that each node of a region's elements carries of them, each element's times its relative
// density; nodes increasing.
struct NodalVolume {
  std::vector<std::int32_t> nodes;
  std::vector<double> volume;  // one for each of them
};
NodalVolume nodal_volume(const Region& region, const mesh::RestGeometry& rest, Lumping lumping);
// The derivatives of sum over its nodes of bars[k] volume[k], `volume` the nodal volume of these arguments, by the
// measure of each quadrature point.
std::vector<double> volume_pull_back(const Region& region, const mesh::RestGeometry& rest, Lumping lumping,
                                     const NodalVolume& volume, std::span<const double> bars);
// y += scale times it; one number a node of the model.
void add_scaled(std::span<double> y, double scale, const NodalVolume& volume);

// Lumped mass, kg: of each region its density times the volume that a node carries of it.
std::vector<double> lumped_mass(const Model& model);

// History variables at the start: for each region, each of its energy's histories, each quadrature point of each
// element, the energy's initial values.
std::vector<double> initial_history(const Model& model);

// The values a parameter may take, as a sentence part: "0 < nu < 0.5", "E finite".
std::string interval_text(const ir::Parameter& parameter);

// Throws Error for anything that cannot be simulated: a parameter, or a key frame of its signal, outside its open
// interval (named, with region, value and interval), an energy that is no function of what the region's elements have,
// a direction of no length, density <= 0, time step <= 0, negative damping, a history under BDF2, an element in two
// regions or a solid in none, a free node without mass, a quasi-static piece that nothing holds (equilibrium.hpp), a
// node held twice, all nodes held, what check_controllers and check_contacts refuse, sizes that do not agree.
void validate(const Model& model);

}  // namespace proxima::model
