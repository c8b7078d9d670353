#include "compiler/derive/local_step.hpp"

#include <array>
#include <string>

#include "compiler/derive/local_step_fields.hpp"
#include "compiler/derive/proximal_point.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::derive {
namespace {

using ir::Energy;
using ir::Expression;
using ir::Op;

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
  const ProximalPoint point =
      principal_proximal_point(graph, psi, sigma, fields.weight, fields.potential_arguments(graph));
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
  const ProximalPoint point = strain_proximal_point(graph, energy, psi, expressions(graph, fields.arguments.strain),
                                                    fields.weight, fields.potential_arguments(graph));
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
