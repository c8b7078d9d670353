// The Moreau envelope of an energy as an energy: its proximal point in a formula whose first derivatives are exact.
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "compiler/derive/ldlt.hpp"
#include "compiler/derive/local_step_fields.hpp"
#include "compiler/derive/pair_quotients.hpp"
#include "compiler/derive/proximal_point.hpp"
#include "compiler/ir/loop_builder.hpp"
#include "compiler/ir/operators.hpp"
#include "compiler/support/error.hpp"

namespace proxima::derive {
namespace {

using ir::Energy;
using ir::Expression;
using ir::InputKind;
using ir::Measure;
using ir::NodeId;
using ir::Op;

// What the envelope's own graph has for its inputs.
Arguments arguments_of(Energy& energy) {
  Arguments arguments;
  const auto inputs = [&](std::uint32_t first, std::uint32_t count) {
    Nodes nodes;
    for (std::uint32_t k = first; k < first + count; ++k) nodes.push_back(energy.graph.input(k));
    return nodes;
  };
  arguments.strain = inputs(0, energy.strain_components());
  arguments.parameters = inputs(energy.parameter_slot(0), static_cast<std::uint32_t>(energy.parameters.size()) - 1);
  for (std::size_t k = 0; k < energy.inputs.size(); ++k) {
    arguments.inputs.push_back(inputs(energy.input_slot(k), energy.inputs[k].components));
    if (energy.inputs[k].kind == InputKind::previous_strain) arguments.previous = arguments.inputs[k];
    if (energy.inputs[k].kind == InputKind::time_step) arguments.time_step = arguments.inputs[k];
  }
  return arguments;
}

Expression stiffness_at_rest(const Energy& energy, ir::Graph& graph, Arguments arguments) {
  const std::uint32_t n = energy.strain_components(), columns = n / 3;
  std::vector<std::uint32_t> axes;
  arguments.strain.assign(n, graph.constant(0));
  for (std::uint32_t i = 0; i < columns; ++i) {
    axes.push_back(i * columns + i);
    arguments.strain[axes.back()] = graph.constant(1);
  }
  arguments.previous = arguments.strain;
  return {&graph, rest_curvature(energy, graph, arguments, axes)};
}

// Psi at its proximal point, which moves with nothing there, and the point, whose first derivatives are exact.
struct Minimum {
  Expression psi;
  Expressions p;
};

// A Newton step from where the iteration ended, of which only the residual has a derivative: by the implicit function
// theorem it is that of the minimum.
struct ExplicitStep {
  Expressions start, end;
  ExplicitStep(const Potential& psi, const Expressions& found, const Expressions& target, Expression weight,
               const Expressions& arguments) {
    ir::Graph& graph = *weight.graph;
    const std::size_t n = found.size();
    Expressions fixed = found;
    Expressions A = psi.hessian(graph, found, arguments);
    for (std::size_t i = 0, k = 0; i < n; k += n - i, ++i) A[k] = A[k] + weight;
    fixed.insert(fixed.end(), A.begin(), A.end());
    fixed = ir::without_derivative(fixed);
    start.assign(fixed.begin(), fixed.begin() + static_cast<std::ptrdiff_t>(n));
    Expressions residual = psi.gradient(graph, start, arguments);
    for (std::size_t k = 0; k < n; ++k) residual[k] = residual[k] + weight * (start[k] - target[k]);
    const Ldlt factor(n, {fixed.begin() + static_cast<std::ptrdiff_t>(n), fixed.end()});
    end = factor.solve(residual);
    for (std::size_t k = 0; k < n; ++k) end[k] = start[k] - end[k];
  }
};

// In the frame of F's singular vectors: psi_i + w (s_i - sigma_i) = 0, so that s_i -+ s_j is w/(q + w) times
// sigma_i -+ sigma_j, with q = (psi_i -+ psi_j)/(s_i -+ s_j).
Minimum isotropic(const Potential& psi, ir::Graph& graph, const Nodes& strain, Expression weight,
                  const Expressions& arguments) {
  const NodeId svd = graph.apply(Op::svd, strain);
  Expressions sigma;
  for (std::uint32_t k = 0; k < 3; ++k) sigma.push_back({&graph, graph.part(svd, k)});
  const ExplicitStep step(psi, principal_proximal_point(graph, psi, sigma, weight, arguments).x, sigma, weight,
                          arguments);
  const Nodes slopes = nodes_of(psi.gradient(graph, step.start, arguments)), values = nodes_of(step.start);
  Nodes operands = {svd};
  for (const Expression& stretch : step.end) operands.push_back(stretch.node);
  for (const Nodes& quotients : {minus_quotients(graph, slopes, values), plus_quotients(graph, slopes, values)})
    for (const NodeId q : quotients) operands.push_back((weight / (Expression{&graph, q} + weight)).node);
  const NodeId composed = graph.apply(Op::svd_compose, operands);
  Minimum result{psi.value(graph, step.start, arguments), {}};
  for (std::uint32_t k = 0; k < 9; ++k) result.p.push_back({&graph, graph.part(composed, k)});
  return result;
}

Minimum in_components(const Energy& energy, ir::Graph& graph, const Nodes& strain, Expression weight,
                      const Expressions& arguments) {
  const Potential psi = strain_potential(energy);
  const Expressions F = expressions(graph, strain);
  const ExplicitStep step(psi, strain_proximal_point(graph, energy, psi, F, weight, arguments).x, F, weight, arguments);
  return {psi.value(graph, step.start, arguments), step.end};
}

[[noreturn]] void refuse(const Energy& energy, const std::string& why) {
  fail("the energy '{}' has no proximal form: {}", energy.name, why);
}

void check(const Energy& energy) {
  if (energy.dissipation) refuse(energy, "it is one of dissipation, and the envelope is of an energy that is stored");
  if (energy.measure != Measure::deformation_gradient && energy.measure != Measure::surface_deformation_gradient)
    refuse(energy, "it is a function of positions, and the form is of energies of solids and surfaces, functions of F");
  if (const auto* history = energy.find(InputKind::history))
    refuse(energy,
           fmt::format("the history '{}' would follow F where the stress is that of another point", history->name));
  for (const auto& parameter : energy.parameters)
    if (parameter.name == proximal_weight) refuse(energy, "it has a parameter of that name, 'proximal_weight'");
  if (!energy.projection) check_rest_curvature_gradient(energy);
}

// What is inside a matrix that the energy decomposes has no derivative at second order, and would fail much later.
void check_gradient(const Energy& energy, const Energy& envelope) {
  try {
    strain_kernel(envelope, Quantity::pull_back);
  } catch (const Error& error) {
    refuse(energy,
           fmt::format("it could not be differentiated by its parameters and directions, since {}", error.what()));
  }
}

}  // namespace

Energy moreau_envelope(const Energy& energy) {
  check(energy);
  Energy result = energy;
  result.name += "_envelope";
  result.graph = {};
  result.projection.reset();
  result.parameters.push_back(
      {.name = proximal_weight, .unit = "", .default_value = 1, .lower = 0, .upper = INFINITY, .where = {}});
  ir::Graph& graph = result.graph;
  const Arguments arguments = arguments_of(result);
  const Expression factor{&graph, graph.input(result.parameter_slot(energy.parameters.size()))};
  const Expression weight = factor * stiffness_at_rest(energy, graph, arguments);
  const Expressions given = potential_arguments(energy, graph, arguments);
  const auto principal = principal_potential(energy);
  const Minimum minimum = principal ? isotropic(*principal, graph, arguments.strain, weight, given)
                                    : in_components(energy, graph, arguments.strain, weight, given);
  // Op::gap leaves out how the point moves, as Psi's own value does: at the minimum it does not count.
  const auto gap = [&](std::size_t k) {
    return Expression{&graph, arguments.strain[k]}.apply(Op::gap, {minimum.p[k]});
  };
  Expression distance = gap(0);
  for (std::size_t k = 1; k < minimum.p.size(); ++k) distance = distance + gap(k);
  result.density = (minimum.psi + weight * distance).node;
  check_gradient(energy, result);
  return result;
}

}  // namespace proxima::derive
