#include "compiler/derive/local_step.hpp"

#include <array>
#include <functional>
#include <optional>
#include <string>

#include "compiler/derive/local_step_fields.hpp"
#include "compiler/derive/proximal_point.hpp"
#include "compiler/ir/closest_point.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::derive {
namespace {

using ir::Energy;
using ir::Expression;
using ir::Measure;
using ir::Op;

// The strain without deformation that is nearest to `strain`. Arguments as of strain_potential.
Expressions undeformed(const Energy& energy, const Expressions& strain, const Expressions& arguments) {
  ir::Graph& graph = *strain.front().graph;
  const auto rest = [&](ir::InputKind kind) -> std::optional<Expressions> {
    for (std::size_t k = 0; k < energy.inputs.size(); ++k) {
      if (energy.inputs[k].kind != kind) continue;
      const auto first = arguments.begin() + (energy.input_slot(k) - energy.strain_components());
      return Expressions(first, first + energy.inputs[k].components);
    }
    return {};
  };
  if (energy.measure == Measure::node_positions) return rest(ir::InputKind::rest_positions).value_or(strain);
  if (energy.measure == Measure::edge_vector) {
    const auto length = rest(ir::InputKind::rest_length);
    const ir::NodeId radius = length ? length->front().node : graph.constant(1);
    return expressions(graph, ir::closest_on_sphere(graph, nodes_of(strain), radius));
  }
  return expressions(graph, ir::closest_rotation(graph, nodes_of(strain)));
}

void output_proximal(KernelBuilder& builder, const ProximalPoint& point, const Expressions& p) {
  builder.output("p", nodes_of(p));
  builder.output("iterations", {point.iterations.node});
  builder.output("residual", {point.residual.node});
  builder.output("pivot", {point.pivot.node});
}

// In the principal stretches: the minimum has the singular vectors of F.
void add_isotropic(KernelBuilder& builder, const Potential& psi, const LocalStepFields& fields) {
  ir::Graph& graph = builder.graph;
  const ir::NodeId svd = graph.apply(Op::svd, fields.arguments.strain);
  Expressions sigma;
  for (std::uint32_t k = 0; k < 3; ++k) sigma.push_back({&graph, graph.part(svd, k)});
  const Expressions arguments = fields.potential_arguments(graph);
  const Expressions rotation(3, fields.weight.constant(1));
  const Expressions start = start_in_domain(graph, psi, sigma, fields.weight, arguments, rotation);
  const ProximalPoint point = proximal_point(graph, psi, sigma, fields.weight, arguments, start);
  Nodes operands = {svd};
  for (const Expression& s : point.x) operands.push_back(s.node);
  operands.resize(10, graph.constant(1));  // the quotients that the derivative would need
  const ir::NodeId composed = graph.apply(Op::svd_compose, operands);
  Expressions p;
  for (std::uint32_t k = 0; k < 9; ++k) p.push_back({&graph, graph.part(composed, k)});
  output_proximal(builder, point, p);
}

void add_proximal(KernelBuilder& builder, const Energy& energy, const LocalStepFields& fields) {
  check_proximal(energy);
  if (const auto principal = principal_potential(energy)) return add_isotropic(builder, *principal, fields);
  ir::Graph& graph = builder.graph;
  const Potential psi = strain_potential(energy);
  const Expressions F = expressions(graph, fields.arguments.strain), arguments = fields.potential_arguments(graph);
  const auto rest = [&](const Expressions& strain, const Expressions& with) {
    return undeformed(energy, strain, with);
  };
  const Expressions inside = undeformed_where_large(graph, psi, F, fields.weight, arguments, rest);
  const Expressions start = start_in_domain(graph, psi, F, fields.weight, arguments, inside);
  const ProximalPoint point = proximal_point(graph, psi, F, fields.weight, arguments, start);
  output_proximal(builder, point, point.x);
}

void add_explicit(KernelBuilder& builder, const Energy& energy, const LocalStepFields& fields) {
  ir::Graph& graph = builder.graph;
  const ir::NodeId density = incremental_density(energy, graph, fields.arguments);
  Nodes p = gradient(graph, density, fields.arguments.strain);
  for (std::size_t k = 0; k < p.size(); ++k)
    p[k] = (Expression{&graph, fields.arguments.strain[k]} - Expression{&graph, p[k]} / fields.weight).node;
  builder.output("p", p);
}

void add_projective(KernelBuilder& builder, const Energy& energy, const LocalStepFields& fields) {
  check_projective(energy);
  Nodes roots = energy.projection->closest;
  roots.push_back(energy.projection->weight);
  Nodes values = instantiate(energy, roots, builder.graph, fields.arguments);
  const ir::NodeId weight = values.back();
  values.pop_back();
  builder.output("p", values);
  builder.output("weight", {weight});
}

}  // namespace

ir::Kernel local_step(const Energy& energy, LocalForm form, const std::vector<bool>& per_element) {
  KernelBuilder builder(energy.name + "." + name_of(form) + "_step", 0);
  const LocalStepFields fields = declare_local_step(builder, energy, form, per_element, false);
  using Add = void (*)(KernelBuilder&, const Energy&, const LocalStepFields&);
  static constexpr std::array<Add, 3> add = {add_projective, add_explicit, add_proximal};
  add.at(static_cast<std::size_t>(form))(builder, energy, fields);
  return builder.finish();
}

}  // namespace proxima::derive
