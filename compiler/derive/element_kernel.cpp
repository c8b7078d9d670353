// Kernels of elements: strain from positions, and what follows from the energy by differentiation.
#include <string>

#include "compiler/derive/kernel_builder.hpp"
#include "compiler/derive/rest_geometry.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/support/error.hpp"

namespace proxima::derive {
namespace {

using ir::Access;
using ir::Energy;
using ir::Expression;
using ir::InputKind;
using ir::Measure;
using ir::NodeId;

bool has_gradients(Measure measure) {
  return measure == Measure::deformation_gradient || measure == Measure::surface_deformation_gradient;
}

void check_shape(const Energy& energy, Shape shape) {
  const auto refuse = [&](const std::string& wanted) {
    fail("the energy '{}' is a function of {}; the elements have {} corners and {} dimensions", energy.name, wanted,
         shape.corners, shape.dimension);
  };
  switch (energy.measure) {
    case Measure::deformation_gradient:
      if (shape.dimension != 3 || shape.corners < 4) refuse("the 3x3 deformation gradient and needs solid elements");
      return;
    case Measure::surface_deformation_gradient:
      if (shape.dimension != 2 || shape.corners < 3) refuse("the 3x2 deformation gradient and needs surface elements");
      return;
    case Measure::edge_vector:
      if (shape.corners != 2) refuse("the vector of an edge and needs elements of 2 nodes");
      return;
    case Measure::node_positions:
      if (shape.corners != energy.stencil)
        refuse(fmt::format("the positions of {} nodes and needs elements of as many", energy.stencil));
      return;
  }
}

// The measure of the energy at the corner positions x.
Nodes strain_of(const Energy& energy, ir::Graph& graph, Shape shape, const Nodes& x, const Nodes& gradients) {
  if (energy.measure == Measure::node_positions) return x;
  const auto edge = [&](std::size_t s, std::size_t i) {
    return Expression{&graph, x[3 * s + i]} - Expression{&graph, x[i]};
  };
  if (energy.measure == Measure::edge_vector) return {edge(1, 0).node, edge(1, 1).node, edge(1, 2).node};
  // F(i,j) = sum over corners s = 1.. of (x_s - x_0)_i g_s(j), since the gradients of all corners sum to zero.
  Nodes F;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < shape.dimension; ++j) {
      const auto term = [&](std::size_t s) {
        return edge(s, i) * Expression{&graph, gradients[(s - 1) * shape.dimension + j]};
      };
      Expression sum = term(1);
      for (std::size_t s = 2; s < shape.corners; ++s) sum = sum + term(s);
      F.push_back(sum.node);
    }
  return F;
}

// Of a simplex: corner s is 1 along its own coordinate s - 1, and the unit simplex has the volume 1/dimension!.
Nodes unit_gradients(ir::Graph& graph, Shape shape) {
  Nodes result;
  for (std::uint32_t s = 1; s < shape.corners; ++s)
    for (std::uint32_t a = 0; a < shape.dimension; ++a) result.push_back(graph.constant(a + 1 == s ? 1 : 0));
  return result;
}

struct Geometry {
  RestGeometry shape;  // of solids and surfaces
  Nodes rest;          // of rest_pull_back
};

Geometry declare_geometry(KernelBuilder& builder, const Energy& energy, Quantity quantity, Shape shape) {
  ir::Graph& graph = builder.graph;
  const std::uint32_t components = (shape.corners - 1) * shape.dimension;
  Geometry result;
  if (quantity == Quantity::rest_pull_back) {
    result.rest = builder.input("rest", Access::nodal, 3);
    if (!has_gradients(energy.measure)) return result;
    const Nodes own =
        shape.simplex() ? unit_gradients(graph, shape) : builder.input("shape_gradients", Access::element, components);
    const NodeId weight = shape.simplex() ? graph.constant(shape.dimension == 3 ? 1.0 / 6 : 0.5)
                                          : builder.input("quadrature_weight", Access::element, 1).front();
    result.shape = rest_geometry(graph, shape, result.rest, own, weight);
  } else if (has_gradients(energy.measure)) {
    result.shape.gradients = builder.input("gradients", Access::element, components);
    result.shape.volume = builder.input("volume", Access::element, 1).front();
  }
  return result;
}

// The lengths and positions at rest that an energy asks for, from the rest positions.
void fill_in_rest(const Energy& energy, ir::Graph& graph, const Nodes& rest, Arguments& arguments) {
  for (std::size_t k = 0; k < energy.inputs.size(); ++k) {
    if (energy.inputs[k].kind == InputKind::rest_positions) arguments.inputs[k] = rest;
    if (energy.inputs[k].kind != InputKind::rest_length) continue;
    const auto edge = [&](std::size_t i) { return Expression{&graph, rest[3 + i]} - Expression{&graph, rest[i]}; };
    const Expression x = edge(0), y = edge(1), z = edge(2);
    arguments.inputs[k] = {(x * x + y * y + z * z).apply(ir::Op::sqrt).node};
  }
}

// The strain is linear in the positions, strain = G x: G^T H G d with H the filtered Hessian by the strain.
Nodes filtered_forces(const Energy& energy, Quantity quantity, ir::Graph& graph, const Arguments& arguments,
                      const RestGeometry& geometry, const Nodes& positions, const Nodes& direction) {
  const Nodes strain_direction = derive::directional(graph, arguments.strain, positions, direction);
  const Nodes rate = filtered_stress_rate(energy, quantity, graph, arguments, strain_direction);
  Nodes forces(positions.size());
  for (std::size_t k = 0; k < rate.size(); ++k) {
    Expression stress{&graph, rate[k]};
    if (has_gradients(energy.measure)) stress = Expression{&graph, geometry.volume} * stress;
    const Nodes row = gradient(graph, arguments.strain[k], positions);
    for (std::size_t a = 0; a < positions.size(); ++a) {
      if (graph.is_constant(row[a], 0)) continue;
      const Expression term = Expression{&graph, row[a]} * stress;
      forces[a] = forces[a] == NodeId{} ? term.node : (Expression{&graph, forces[a]} + term).node;
    }
  }
  return forces;
}

}  // namespace

ir::Kernel element_kernel(const Energy& energy, Quantity quantity, Shape shape, const std::vector<bool>& per_element) {
  check_shape(energy, shape);
  KernelBuilder builder(energy.name + "." + name_of(quantity), shape.corners);
  ir::Graph& graph = builder.graph;
  const Nodes positions = builder.input("positions", Access::nodal, 3);
  const Nodes direction = takes_direction(quantity) ? builder.input("direction", Access::nodal, 3) : Nodes();
  const bool has_previous = energy.find(InputKind::previous_strain) != nullptr;
  const Nodes previous = has_previous ? builder.input("previous", Access::nodal, 3) : Nodes();
  const Geometry geometry = declare_geometry(builder, energy, quantity, shape);
  Arguments arguments;
  declare_energy_inputs(builder, energy, per_element, Access::uniform, quantity == Quantity::rest_pull_back, arguments);

  if (!geometry.rest.empty()) fill_in_rest(energy, graph, geometry.rest, arguments);
  arguments.strain = strain_of(energy, graph, shape, positions, geometry.shape.gradients);
  if (has_previous) arguments.previous = strain_of(energy, graph, shape, previous, geometry.shape.gradients);
  if (is_filtered(quantity)) {
    builder.output("forces", filtered_forces(energy, quantity, graph, arguments, geometry.shape, positions, direction));
    return builder.finish();
  }
  const Expression density{&graph, incremental_density(energy, graph, arguments)};
  if (quantity == Quantity::state) {
    add_state(builder, arguments, density.node);
    return builder.finish();
  }
  // The volume multiplies the energy, not the forces: its few terms are scaled instead of all results.
  const NodeId total =
      has_gradients(energy.measure) ? (Expression{&graph, geometry.shape.volume} * density).node : density.node;
  if (quantity == Quantity::rest_pull_back) {
    builder.output("rest", power_gradient(graph, total, positions, direction, geometry.rest));
  } else {
    add_outputs(builder, quantity, {energy, arguments, total, positions, direction, previous, "positions", "forces"});
  }
  return builder.finish();
}

}  // namespace proxima::derive
