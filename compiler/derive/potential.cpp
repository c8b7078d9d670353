#include "compiler/derive/potential.hpp"

#include <utility>

#include "compiler/ir/analysis.hpp"

namespace proxima::derive {

using ir::Expression;
using ir::NodeId;

Potential::Potential(ir::Graph graph, NodeId psi, std::uint32_t variables, std::uint32_t arguments)
    : graph_(std::move(graph)), psi_(psi), n_(variables), arguments_(arguments) {
  Nodes x;
  for (std::uint32_t k = 0; k < n_; ++k) x.push_back(graph_.input(k));
  gradient_ = derive::gradient(graph_, psi_, x);
  hessian_ = derive::hessian(graph_, psi_, x);
}

Expressions Potential::instance(ir::Graph& graph, const Nodes& roots, const Expressions& x,
                                const Expressions& arguments) const {
  Nodes slots = nodes_of(x);
  for (const Expression& argument : arguments) slots.push_back(argument.node);
  return expressions(graph, ir::transplant(graph_, roots, graph, slots));
}

Expression Potential::value(ir::Graph& graph, const Expressions& x, const Expressions& arguments) const {
  return instance(graph, {psi_}, x, arguments).front();
}

Expressions Potential::gradient(ir::Graph& graph, const Expressions& x, const Expressions& arguments) const {
  return instance(graph, gradient_, x, arguments);
}

Expressions Potential::hessian(ir::Graph& graph, const Expressions& x, const Expressions& arguments) const {
  return instance(graph, hessian_, x, arguments);
}

Expressions Potential::power_gradient(const Expressions& x, const Expressions& direction, const Expressions& arguments,
                                      const std::vector<bool>& wanted) const {
  // In a graph of its own, where the direction is an input: it may be a function of the arguments where it is put in.
  ir::Graph free = graph_;
  Nodes moving, along, to;
  for (std::uint32_t k = 0; k < n_; ++k) {
    moving.push_back(free.input(k));
    along.push_back(free.input(n_ + arguments_ + k));
  }
  for (std::uint32_t k = 0; k < arguments_; ++k)
    if (wanted[k]) to.push_back(free.input(n_ + k));
  const Nodes roots = derive::power_gradient(free, psi_, moving, along, to);
  Nodes slots = nodes_of(x);
  for (const Expressions& more : {arguments, direction})
    for (const Expression& value : more) slots.push_back(value.node);
  ir::Graph& graph = *x.front().graph;
  const Nodes values = ir::transplant(free, roots, graph, slots);
  Expressions result(arguments_);
  std::size_t next = 0;
  for (std::uint32_t k = 0; k < arguments_; ++k)
    if (wanted[k]) result[k] = {&graph, values[next++]};
  return result;
}

Potential strain_potential(const ir::Energy& energy) {
  ir::Graph graph = energy.graph;
  NodeId psi = energy.density;
  std::uint32_t arguments = energy.slots() - energy.strain_components();
  if (energy.dissipation) {
    psi = (Expression{&graph, graph.input(energy.slots())} * Expression{&graph, psi}).node;
    ++arguments;
  }
  return {std::move(graph), psi, energy.strain_components(), arguments};
}

Expressions potential_arguments(const ir::Energy& energy, ir::Graph& graph, const Arguments& arguments) {
  Nodes slots = slots_of(energy, arguments);
  slots.erase(slots.begin(), slots.begin() + energy.strain_components());
  if (energy.dissipation) slots.push_back(arguments.time_step.front());
  return expressions(graph, slots);
}

Expressions expressions(ir::Graph& graph, const Nodes& nodes) {
  Expressions result;
  for (const NodeId node : nodes) result.push_back({&graph, node});
  return result;
}

Nodes nodes_of(const Expressions& values) {
  Nodes nodes;
  for (const Expression& value : values) nodes.push_back(value.node);
  return nodes;
}

Expression dot(const Expressions& a, const Expressions& b) {
  Expression sum = a[0] * b[0];
  for (std::size_t k = 1; k < a.size(); ++k) sum = sum + a[k] * b[k];
  return sum;
}

}  // namespace proxima::derive
