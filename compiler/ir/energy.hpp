// What tracing an author's file yields: one energy as a graph, and the description of what it depends on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace proxima::ir {

// A parameter as the author declared it. The interval is open: a value must satisfy lower < value < upper.
struct Parameter {
  std::string name;
  std::string unit;  // SI symbol, "" for dimensionless
  double default_value = 0;
  double lower;  // -inf when unbounded
  double upper;  // +inf when unbounded
  SourceLocation where;
  bool varies_in_time = false;  // an actuation signal: its user gives it as a function of time
};

// The local measure of deformation that an energy is a function of.
enum class Measure : std::uint8_t {
  deformation_gradient,          // F = dx/dX, 3x3 row by row; the energy is per rest volume, J/m^3
  surface_deformation_gradient,  // 3x2 row by row, X in the tangent plane at rest; the energy is per rest area, J/m^2
  edge_vector,                   // x_1 - x_0, m; the energy is of the whole edge, J
  node_positions,                // of the nodes of a stencil, node after node, m; the energy is of the stencil, J
};

// What else an energy may depend on, per element (a direction, a history), per stencil or for the whole body.
enum class InputKind : std::uint8_t {
  direction,        // 3: a unit vector in the rest shape, a field that the user gives
  history,          // any number; carried from step to step by the energy's own update rule
  previous_strain,  // the measure at the end of the previous step
  time_step,        // 1, s
  rest_length,      // 1, m: of the edge
  rest_positions,   // 3 a node of the stencil, m
};

struct Input {
  InputKind kind;
  std::string name;  // the author's, of directions and histories; otherwise that of the kind
  std::uint32_t components = 0;
  std::vector<double> initial;  // direction: the default; history: the value at the start; otherwise empty
  std::vector<NodeId> update;   // history: the values after a step, functions of all inputs; otherwise empty
  SourceLocation where;
};

// The energy is weight / 2 times the squared distance of the strain measure to the point `closest` of a manifold, which
// is a function of the inputs. The graph writes the distance with Op::gap.
struct Projection {
  NodeId weight;                // the density's unit over that of the squared measure: Pa for deformation gradients
  std::vector<NodeId> closest;  // one a component of the strain measure
};

// Inputs of the graph, in this order: the components of the strain measure; the parameters, one slot each; the further
// inputs with their components.
struct Energy {
  std::string name;  // as in PROXIMA_ENERGY(name)
  std::string file;  // where it was written, for messages
  Graph graph;
  NodeId density;
  Measure measure = Measure::deformation_gradient;
  std::uint32_t stencil = 0;  // nodes, of Measure::node_positions
  // The density is a potential of dissipation per second (W/m^3, or by the measure W/m^2, W): a step of h seconds adds
  // h times it to what is minimised.
  bool dissipation = false;
  std::vector<Parameter> parameters;
  std::vector<Input> inputs;
  std::optional<Projection> projection;

  std::uint32_t strain_components() const;
  std::uint32_t parameter_slot(std::size_t k) const { return strain_components() + static_cast<std::uint32_t>(k); }
  std::uint32_t input_slot(std::size_t k) const;  // the first of its components
  std::uint32_t slots() const;                    // of all inputs
  const Input* find(InputKind kind) const;        // the first of that kind, or null
};

// Everything the energy computes: its density, update rules, weight and closest point.
std::vector<NodeId> roots_of(const Energy& energy);

// The same energy with each root replaced; `roots` as from roots_of, of `graph`.
Energy with_roots(const Energy& energy, Graph graph, const std::vector<NodeId>& roots);

}  // namespace proxima::ir
