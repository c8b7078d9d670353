// Adjoints of the local steps: numerics.md section 4. Of the proximal step p, with A = d2Psi/dp2 + w and A lam = p_bar:
// F_bar = w lam, w_bar = <lam, F - p>, and by each parameter -d/dtheta <dPsi/dp, lam>.
#include <algorithm>
#include <array>

#include "compiler/derive/ldlt.hpp"
#include "compiler/derive/local_step_fields.hpp"
#include "compiler/derive/pair_quotients.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::derive {
namespace {

using ir::Energy;
using ir::Expression;
using ir::InputKind;
using ir::Op;

// Which arguments of the potential have an adjoint: parameters, and components of direction fields.
std::vector<bool> with_adjoint(const Energy& energy) {
  std::vector<bool> wanted(energy.parameters.size(), true);
  for (const ir::Input& input : energy.inputs)
    wanted.insert(wanted.end(), input.components, input.kind == InputKind::direction);
  if (energy.dissipation) wanted.push_back(false);
  return wanted;
}

// `adjoints` by argument of the potential, times the factor.
void output_arguments(KernelBuilder& builder, const Energy& energy, const Expressions& adjoints, Expression factor) {
  const auto output = [&](const std::string& name, std::size_t first, std::size_t count) {
    Nodes nodes;
    for (std::size_t k = 0; k < count; ++k) nodes.push_back((factor * adjoints[first + k]).node);
    builder.output(name, nodes);
  };
  output("parameters", 0, energy.parameters.size());
  for (std::size_t k = 0; k < energy.inputs.size(); ++k)
    if (energy.inputs[k].kind == InputKind::direction)
      output(field_name(energy.inputs[k]), energy.input_slot(k) - energy.strain_components(), 3);
}

Nodes scaled(Expression factor, const Expressions& values) {
  Nodes nodes;
  for (const Expression& value : values) nodes.push_back((factor * value).node);
  return nodes;
}

// The outputs that follow from lam; the adjoints of the arguments are those of the power along `along` at `at`.
void output_implicit(KernelBuilder& builder, const LocalStepFields& fields, const Expressions& lam,
                     const Potential& psi, const Expressions& at, const Expressions& along) {
  ir::Graph& graph = builder.graph;
  const Expressions F = expressions(graph, fields.arguments.strain), p = expressions(graph, fields.p);
  Expressions apart;
  for (std::size_t k = 0; k < p.size(); ++k) apart.push_back(F[k] - p[k]);
  builder.output("strain", scaled(fields.weight, lam));
  builder.output("weight", {dot(lam, apart).node});
  output_arguments(builder, fields.energy,
                   psi.power_gradient(at, along, fields.potential_arguments(graph), with_adjoint(fields.energy)),
                   fields.weight.constant(-1));
}

void add_proximal(KernelBuilder& builder, const LocalStepFields& fields) {
  const Potential psi = strain_potential(fields.energy);
  ir::Graph& graph = builder.graph;
  const Expressions p = expressions(graph, fields.p);
  Expressions A = psi.hessian(graph, p, fields.potential_arguments(graph));
  for (std::size_t i = 0, k = 0; i < p.size(); k += p.size() - i, ++i) A[k] = A[k] + fields.weight;
  const Expressions lam = Ldlt(p.size(), A).solve(expressions(graph, fields.p_bar));
  output_implicit(builder, fields, lam, psi, p, lam);
}

// U M V^T or its inverse U^T M V, row by row.
struct Frame {
  Expressions U, V;
  Expressions into(const Expressions& M) const { return sandwich(M, true); }
  Expressions out_of(const Expressions& M) const { return sandwich(M, false); }

 private:
  Expressions sandwich(const Expressions& M, bool transposed) const {
    const auto u = [&](std::size_t i, std::size_t a) { return transposed ? U[3 * a + i] : U[3 * i + a]; };
    const auto v = [&](std::size_t b, std::size_t j) { return transposed ? V[3 * b + j] : V[3 * j + b]; };
    Expressions half, result;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t b = 0; b < 3; ++b) half.push_back(u(i, 0) * M[b] + u(i, 1) * M[3 + b] + u(i, 2) * M[6 + b]);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        result.push_back(half[3 * i] * v(0, j) + half[3 * i + 1] * v(1, j) + half[3 * i + 2] * v(2, j));
    return result;
  }
};

// In the singular vectors of p, where A is a 3x3 matrix on the diagonal and a number for the symmetric and for the
// antisymmetric part of each pair off it.
void add_isotropic(KernelBuilder& builder, const LocalStepFields& fields, const Potential& psi) {
  ir::Graph& graph = builder.graph;
  const ir::NodeId svd = graph.apply(Op::svd, fields.p);
  const auto parts = [&](std::uint32_t first, std::uint32_t count) {
    Expressions result;
    for (std::uint32_t k = first; k < first + count; ++k) result.push_back({&graph, graph.part(svd, k)});
    return result;
  };
  const Expressions s = parts(0, 3), arguments = fields.potential_arguments(graph);
  const Frame frame{parts(3, 9), parts(12, 9)};
  const Expressions B = frame.into(expressions(graph, fields.p_bar));
  const Expression w = fields.weight;

  Expressions diagonal = psi.hessian(graph, s, arguments);
  for (const std::size_t k : {0, 3, 5}) diagonal[k] = diagonal[k] + w;
  const Expressions along = Ldlt(3, diagonal).solve({B[0], B[4], B[8]});
  Expressions Lam = {along[0], B[1], B[2], B[3], along[1], B[5], B[6], B[7], along[2]};
  const Nodes slopes = nodes_of(psi.gradient(graph, s, arguments)), values = nodes_of(s);
  const Nodes minus = minus_quotients(graph, slopes, values), plus = plus_quotients(graph, slopes, values);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [i, j] = pairs[k];
    const Expression above = B[3 * i + j], below = B[3 * j + i];
    const Expression symmetric = (above + below) / (2 * (Expression{&graph, minus[k]} + w));
    const Expression antisymmetric = (above - below) / (2 * (Expression{&graph, plus[k]} + w));
    Lam[3 * i + j] = symmetric + antisymmetric;
    Lam[3 * j + i] = symmetric - antisymmetric;
  }
  output_implicit(builder, fields, frame.out_of(Lam), psi, s, along);
}

void add_proximal_form(KernelBuilder& builder, const LocalStepFields& fields) {
  check_proximal(fields.energy);
  if (const auto principal = principal_potential(fields.energy)) return add_isotropic(builder, fields, *principal);
  add_proximal(builder, fields);
}

// p = F - P/w: F_bar = p_bar - H p_bar / w, and so on.
void add_explicit(KernelBuilder& builder, const LocalStepFields& fields) {
  ir::Graph& graph = builder.graph;
  const Energy& energy = fields.energy;
  const ir::NodeId density = incremental_density(energy, graph, fields.arguments);
  const Nodes& F = fields.arguments.strain;
  const Nodes P = gradient(graph, density, F);
  const Expressions p_bar = expressions(graph, fields.p_bar);
  const Expressions curved = expressions(graph, directional(graph, P, F, fields.p_bar));
  Nodes strain;
  for (std::size_t k = 0; k < F.size(); ++k) strain.push_back((p_bar[k] - curved[k] / fields.weight).node);
  builder.output("strain", strain);
  builder.output("weight", {(dot(expressions(graph, P), p_bar) / (fields.weight * fields.weight)).node});
  const Potential psi = strain_potential(energy);
  output_arguments(
      builder, energy,
      psi.power_gradient(expressions(graph, F), p_bar, fields.potential_arguments(graph), with_adjoint(energy)),
      -1 / fields.weight);
}

void add_projective(KernelBuilder& builder, const LocalStepFields& fields) {
  const Energy& energy = fields.energy;
  check_projective(energy);
  ir::Graph& graph = builder.graph;
  const Nodes p = instantiate(energy, energy.projection->closest, graph, fields.arguments);
  const ir::NodeId sum = dot(expressions(graph, p), expressions(graph, fields.p_bar)).node;
  builder.output("strain", gradient(graph, sum, fields.arguments.strain));
  builder.output("parameters", gradient(graph, sum, fields.arguments.parameters));
  for (std::size_t k = 0; k < energy.inputs.size(); ++k)
    if (energy.inputs[k].kind == InputKind::direction)
      builder.output(field_name(energy.inputs[k]), gradient(graph, sum, fields.arguments.inputs[k]));
}

}  // namespace

ir::Kernel local_step_adjoint(const Energy& energy, LocalForm form, const std::vector<bool>& per_element) {
  KernelBuilder builder(energy.name + "." + name_of(form) + "_step_adjoint", 0);
  const LocalStepFields fields = declare_local_step(builder, energy, form, per_element, true);
  using Add = void (*)(KernelBuilder&, const LocalStepFields&);
  static constexpr std::array<Add, 3> add = {add_projective, add_explicit, add_proximal_form};
  add.at(static_cast<std::size_t>(form))(builder, fields);
  return builder.finish();
}

}  // namespace proxima::derive
