// What a rollout can be differentiated by and a design may vary, a row each: where its numbers are in a model and in a
// gradient.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/adjoint/adjoint.hpp"

namespace proxima::optimize {

enum class Quantity : std::uint8_t {
  parameter,          // of a region's energy: one value, or one an element
  signal,             // the values at the keys of a parameter that varies in time
  density,            // kg/m^3
  mass_damping,       // 1/s
  stiffness_damping,  // s: one value, or one an element
  direction,          // 3 of a region's direction field, or 3 an element; its length does not matter
  gravity,            // m/s^2
  force,              // N, 3: of a nodal force, or Pa where it is a traction
  force_factor,       // the values at the keys of a nodal force's factor
  pressure,           // Pa, the values at the keys of a pressure that is no region's
  fluid_density,      // of a fluid around a surface, kg/m^3
  flow,               // m/s, 3
  drag,               // the values of its table
  thrust,
  translation,  // m, 3 a key frame of held nodes
  rotation,     // rad, likewise
  position,     // m, 3: the mean of a body's nodes at the start, which move together; those that are held stay
  velocity,     // m/s, 3: likewise
  controller,   // a parameter of a controller's function: all its components
  friction,     // the coefficient of a contact pair
  friction_across,
  friction_crossed,
  restitution,
  penalty_stiffness,     // of a pair's penalty, N/m^(exponent - 1)
  slip_speed,            // of a pair's penalty, m/s
  tie,                   // m, 3: how far its nodes are held beyond where they are
  obstacle_translation,  // m, 3 a key frame of an obstacle
  obstacle_rotation,     // rad, likewise
  obstacle_parameter,    // of its shape's function: all its components
  rest_shape,            // m, 3 a node of the mesh, which its initial position follows
};

// The object: number of a region, of a nodal force, of a surface load, of a Dirichlet condition, of a body, of a
// controller, of a contact pair, of a tie, of an obstacle. The part: number of a region's parameter or direction field,
// of a controller's parameter, of that of an obstacle's shape.
struct Target {
  std::size_t object = 0, part = 0;
};

struct QuantityRow {
  std::string_view name;     // in scenes
  std::string_view object;   // what Target::object counts: "region"; "" where there is one
  bool rest_shape, motions;  // what AdjointSettings has to ask for
  std::size_t (*objects)(const model::Model& model);
  // Why the object has no such numbers, as "region 'cloth' brings no mass of its own"; "" where it has.
  std::string (*lacks)(const model::Model& model, Target target);
  // All its numbers; as many as the next two have.
  std::vector<double> (*get)(const model::Model& model, Target target);
  void (*set)(model::Model& model, Target target, std::span<const double> values);
  std::vector<double> (*gradient)(const model::Model& model, const adjoint::Gradient& gradient, Target target);
};
std::span<const QuantityRow> all_quantities();
const QuantityRow& quantity_row(Quantity quantity);

// Gives a parameter, a damping by stiffness or a direction field one value an element, or one for the region; nothing
// to others.
void set_spread(model::Model& model, Quantity quantity, Target target, bool over_elements);
// All that a model has numbers of.
std::vector<Target> targets_of(const model::Model& model, Quantity quantity);
// The names of an object's parts; none where only the object counts.
std::vector<std::string> part_names(const model::Model& model, Quantity quantity, std::size_t object);
// The part of an object that a name stands for; 0 where only the object counts. Throws Error naming the object, its
// energy, function or shape, and what was perhaps meant.
std::size_t part_named(const model::Model& model, Quantity quantity, std::size_t object, const std::string& name);

}  // namespace proxima::optimize
