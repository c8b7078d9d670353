// What the makers of kernels share: fields become nodes, an energy's formulas are put in over them. Internal to this
// room.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/derive/derive.hpp"

namespace proxima::derive {

using Nodes = std::vector<ir::NodeId>;

// Builds a kernel: input fields are declared in order and give their nodes; results are collected field by field, and
// in the end only what they need is kept.
class KernelBuilder {
 public:
  KernelBuilder(std::string name, std::uint32_t corners);
  Nodes input(std::string name, ir::Access access, std::uint32_t components);
  void output(std::string name, const Nodes& nodes);  // of no components: nothing
  ir::Kernel finish();

  ir::Graph graph;

 private:
  ir::Kernel kernel_;
  std::uint32_t next_slot_ = 0;
  Nodes results_;
};

// The inputs of an energy as nodes of one graph.
struct Arguments {
  Nodes strain, previous, time_step, parameters;
  std::vector<Nodes> inputs;  // in the order of the energy's
};

// Declares the fields from "time_step" on. rest_known: whether rest_length and rest_positions are computed from fields
// that are declared already; their nodes are then left empty. previous is not filled in.
void declare_energy_inputs(KernelBuilder& builder, const ir::Energy& energy, const std::vector<bool>& per_element,
                           ir::Access time_step, bool rest_known, Arguments& arguments);

// A node for each slot of the energy's graph.
Nodes slots_of(const ir::Energy& energy, const Arguments& arguments);

// `roots` of the energy's graph over the arguments.
Nodes instantiate(const ir::Energy& energy, std::span<const ir::NodeId> roots, ir::Graph& graph,
                  const Arguments& arguments);

// The density, or for a potential of dissipation the time step times it: what one step minimises.
ir::NodeId incremental_density(const ir::Energy& energy, ir::Graph& graph, const Arguments& arguments);

// The second derivatives of the energy by the strain: upper triangle, row by row.
Nodes hessian(ir::Graph& graph, ir::NodeId energy, const Nodes& strain);

// Of the power along `direction`, which is the rate of the energy when `moving` moves that way, the gradient by `to`.
// Taken in this order, power first, except where that would meet singular vectors, which have no derivative; with
// Op::gap there is no choice, because its first derivative leaves out what moves with the closest point.
Nodes power_gradient(ir::Graph& graph, ir::NodeId energy, const Nodes& moving, const Nodes& direction, const Nodes& to);

// The mean curvature of the density along these axes of the strain, or the weight of a projective energy; the strain
// and the previous strain of the arguments are those at rest. See rest_weight.
ir::NodeId rest_curvature(const ir::Energy& energy, ir::Graph& graph, const Arguments& at_rest,
                          std::span<const std::uint32_t> axes);
// Throws Error where it has no derivative by a parameter, since that moves a closest point: the curvature holds the
// first derivative of such a point, which is exact, and its own would need the second, which is not.
void check_rest_curvature_gradient(const ir::Energy& energy);
// The name of a parameter that moves a closest point of the density; "" where there is none.
std::string parameter_of_closest_points(const ir::Energy& energy);

const char* name_of(Quantity quantity);
bool takes_direction(Quantity quantity);

// Where the outputs of a quantity come from. `energy` is a function of the arguments, `moving` and `previous` nodes
// (positions, or strains).
struct Source {
  const ir::Energy& declared;
  const Arguments& arguments;
  ir::NodeId energy;
  const Nodes &moving, &direction, &previous;
  std::string moving_name, forces_name;  // of outputs: the adjoint of `moving`; the gradient of the energy by it
};
// All quantities but rest_pull_back, state and the filtered ones.
void add_outputs(KernelBuilder& builder, Quantity quantity, const Source& source);

// The rate of the stress of what a step minimises along `strain_direction`, with the Hessian by the strain filtered.
bool is_filtered(Quantity quantity);
Nodes filtered_stress_rate(const ir::Energy& energy, Quantity quantity, ir::Graph& graph, const Arguments& arguments,
                           const Nodes& strain_direction);

// state: by the strain itself.
void add_state(KernelBuilder& builder, const Arguments& arguments, ir::NodeId density);

}  // namespace proxima::derive
