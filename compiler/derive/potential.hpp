// A scalar function of a few variables with its first and second derivatives, ready to be put into any graph: an energy
// as a function of its strain, or of its principal stretches. Internal to this room.
#pragma once

#include <vector>

#include "compiler/derive/kernel_builder.hpp"
#include "compiler/ir/expression.hpp"

namespace proxima::derive {

using Expressions = std::vector<ir::Expression>;

class Potential {
 public:
  // `psi` of `graph`, whose inputs 0 to n-1 are the variables and those after them the arguments.
  Potential(ir::Graph graph, ir::NodeId psi, std::uint32_t variables, std::uint32_t arguments);

  std::uint32_t variables() const { return n_; }

  ir::Expression value(ir::Graph& graph, const Expressions& x, const Expressions& arguments) const;
  Expressions gradient(ir::Graph& graph, const Expressions& x, const Expressions& arguments) const;
  Expressions hessian(ir::Graph& graph, const Expressions& x, const Expressions& arguments) const;  // upper triangle
  // Of <gradient, direction>, by the arguments; each where `wanted`, else not filled in.
  Expressions power_gradient(const Expressions& x, const Expressions& direction, const Expressions& arguments,
                             const std::vector<bool>& wanted) const;

 private:
  Expressions instance(ir::Graph& graph, const Nodes& roots, const Expressions& x, const Expressions& arguments) const;

  ir::Graph graph_;
  ir::NodeId psi_;
  std::uint32_t n_, arguments_;
  Nodes gradient_, hessian_;
};

// Of the strain of an energy: what one step minimises. Arguments: the energy's parameters and inputs in its own order,
// then for dissipation the time step once more.
Potential strain_potential(const ir::Energy& energy);
Expressions potential_arguments(const ir::Energy& energy, ir::Graph& graph, const Arguments& arguments);

Expressions expressions(ir::Graph& graph, const Nodes& nodes);
Nodes nodes_of(const Expressions& values);

ir::Expression dot(const Expressions& a, const Expressions& b);

}  // namespace proxima::derive
