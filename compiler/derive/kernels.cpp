#include <array>
#include <stdexcept>
#include <utility>

#include "compiler/derive/derive.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/expression.hpp"

namespace proxima::derive {
namespace {

using ir::Access;
using ir::Energy;
using ir::Expression;
using ir::NodeId;

// Builds a kernel: input fields are declared in order and give their nodes; results are collected field by field, and
// in the end only what they need is kept.
class Builder {
 public:
  Builder(std::string name, std::uint32_t corners) {
    kernel_.name = std::move(name);
    kernel_.corners = corners;
  }

  std::vector<NodeId> input(std::string name, Access access, std::uint32_t components) {
    kernel_.inputs.push_back({std::move(name), access, components});
    std::vector<NodeId> nodes(kernel_.scalars(kernel_.inputs.back()));
    for (NodeId& node : nodes) node = graph.input(next_slot_++);
    return nodes;
  }

  void output(std::string name, const std::vector<NodeId>& nodes) {
    kernel_.outputs.push_back({std::move(name), Access::element, static_cast<std::uint32_t>(nodes.size())});
    results_.insert(results_.end(), nodes.begin(), nodes.end());
  }

  ir::Kernel finish() {
    kernel_.results = ir::transplant(graph, results_, kernel_.graph);
    return std::move(kernel_);
  }

  ir::Graph graph;

 private:
  ir::Kernel kernel_;
  std::uint32_t next_slot_ = 0;
  std::vector<NodeId> results_;
};

std::vector<NodeId> declare_parameters(Builder& builder, const Energy& energy, const std::vector<bool>& per_element) {
  if (per_element.size() != energy.parameters.size())
    throw std::logic_error("kernels of " + energy.name + ": one entry of per_element is needed for each parameter");
  std::vector<NodeId> parameters;
  parameters.reserve(per_element.size());
  for (std::size_t k = 0; k < per_element.size(); ++k)
    parameters.push_back(builder.input("parameter:" + energy.parameters[k].name,
                                       per_element[k] ? Access::element : Access::uniform, 1)[0]);
  return parameters;
}

// The energy density with F and the parameters replaced by nodes of `graph`.
NodeId density_of(const Energy& energy, ir::Graph& graph, std::vector<NodeId> F,
                  const std::vector<NodeId>& parameters) {
  F.insert(F.end(), parameters.begin(), parameters.end());
  return ir::transplant(energy.graph, {&energy.density, 1}, graph, F).front();
}

NodeId directional(ir::Graph& graph, NodeId output, const std::vector<NodeId>& inputs,
                   const std::vector<NodeId>& seeds) {
  return derive::directional(graph, {&output, 1}, inputs, seeds).front();
}

const char* name_of(Quantity quantity) {
  static constexpr std::array names = {"energy", "forces", "energy_forces", "hessian_vector", "pull_back", "state"};
  return names.at(static_cast<std::size_t>(quantity));
}

bool has_direction(Quantity quantity) {
  return quantity == Quantity::hessian_vector || quantity == Quantity::pull_back;
}

// The outputs that a quantity stands for, for an energy that is a function of `moving` nodes (positions or F).
void add_outputs(Builder& builder, Quantity quantity, NodeId energy, const std::vector<NodeId>& moving,
                 const std::vector<NodeId>& direction, const std::vector<NodeId>& parameters,
                 const std::string& forces) {
  ir::Graph& graph = builder.graph;
  if (quantity == Quantity::energy || quantity == Quantity::energy_forces) builder.output("energy", {energy});
  if (quantity == Quantity::forces || quantity == Quantity::energy_forces)
    builder.output(forces, gradient(graph, energy, moving));
  if (quantity == Quantity::hessian_vector)
    builder.output(forces, derive::directional(graph, gradient(graph, energy, moving), moving, direction));
  if (quantity == Quantity::pull_back)  // <P, dF> is the energy's rate along dF, so one forward and one reverse sweep
    builder.output("parameters", gradient(graph, directional(graph, energy, moving, direction), parameters));
}

// F(i,j) = sum over corners s = 1..3 of (x_s - x_0)_i g_s(j), since the four gradients sum to zero.
std::vector<NodeId> deformation_gradient(ir::Graph& graph, const std::vector<NodeId>& x,
                                         const std::vector<NodeId>& gradients) {
  const auto at = [&](NodeId node) { return Expression{&graph, node}; };
  std::vector<NodeId> F;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const auto term = [&](std::size_t s) { return (at(x[3 * s + i]) - at(x[i])) * at(gradients[3 * (s - 1) + j]); };
      F.push_back((term(1) + term(2) + term(3)).node);
    }
  return F;
}

}  // namespace

ir::Kernel tetrahedron_kernel(const Energy& energy, Quantity quantity, const std::vector<bool>& per_element) {
  Builder builder(energy.name + "." + name_of(quantity), 4);
  ir::Graph& graph = builder.graph;
  const auto positions = builder.input("positions", Access::nodal, 3);
  const auto direction = has_direction(quantity) ? builder.input("direction", Access::nodal, 3) : std::vector<NodeId>();
  const auto gradients = builder.input("gradients", Access::element, 9);
  const Expression volume{&graph, builder.input("volume", Access::element, 1).front()};
  const auto parameters = declare_parameters(builder, energy, per_element);

  const auto F = deformation_gradient(graph, positions, gradients);
  const Expression density{&graph, density_of(energy, graph, F, parameters)};
  if (quantity == Quantity::state) {
    builder.output("stress", gradient(graph, density.node, F));
    builder.output("density", {density.node});
  } else {
    // The volume multiplies the energy, not the forces: its few terms are scaled instead of twelve results.
    add_outputs(builder, quantity, (volume * density).node, positions, direction, parameters, "forces");
  }
  return builder.finish();
}

ir::Kernel density_kernel(const Energy& energy, Quantity quantity) {
  Builder builder(energy.name + ".density." + name_of(quantity), 0);
  const auto F = builder.input("F", Access::element, 9);
  const auto direction = has_direction(quantity) ? builder.input("dF", Access::element, 9) : std::vector<NodeId>();
  const auto parameters = declare_parameters(builder, energy, std::vector<bool>(energy.parameters.size(), true));
  const NodeId density = density_of(energy, builder.graph, F, parameters);
  if (quantity == Quantity::state) {
    builder.output("stress", gradient(builder.graph, density, F));
    builder.output("density", {density});
  } else {
    add_outputs(builder, quantity, density, F, direction, parameters, "stress");
  }
  return builder.finish();
}

ir::Kernel rest_weight(const Energy& energy) {
  Builder builder(energy.name + ".rest_weight", 0);
  ir::Graph& graph = builder.graph;
  const auto parameters = declare_parameters(builder, energy, std::vector<bool>(energy.parameters.size(), false));

  // Second derivatives by F as an input of the energy's own graph; then F = 1 is put in.
  ir::Graph free = energy.graph;
  const NodeId one = free.constant(1);
  std::vector<NodeId> curvatures;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::vector<NodeId> stretch = {free.input(4 * i)};
    curvatures.push_back(directional(free, gradient(free, energy.density, stretch)[0], stretch, {one}));
  }
  std::vector<NodeId> at_rest(energy.strain_components());
  for (std::size_t slot = 0; slot < at_rest.size(); ++slot) at_rest[slot] = graph.constant(slot % 4 == 0 ? 1 : 0);
  at_rest.insert(at_rest.end(), parameters.begin(), parameters.end());
  const auto values = ir::transplant(free, curvatures, graph, at_rest);
  const auto at = [&](std::size_t k) { return Expression{&graph, values[k]}; };
  builder.output("weight", {((at(0) + at(1) + at(2)) / 3).node});
  return builder.finish();
}

bool depends_on(const Energy& energy, std::size_t parameter) {
  const std::vector<bool> live = ir::live_nodes(energy.graph, {&energy.density, 1});
  for (std::uint32_t i = 0; i < live.size(); ++i) {
    const ir::Node& node = energy.graph.node({i});
    if (live[i] && node.op == ir::Op::input && node.payload == energy.parameter_slot(parameter)) return true;
  }
  return false;
}

}  // namespace proxima::derive
