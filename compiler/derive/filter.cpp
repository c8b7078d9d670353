#include "compiler/derive/filter.hpp"

#include <algorithm>

#include "compiler/derive/derive.hpp"
#include "compiler/derive/matrix_absolute.hpp"
#include "compiler/derive/pair_quotients.hpp"
#include "compiler/derive/principal.hpp"
#include "compiler/derive/spectral.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/expression.hpp"

namespace proxima::derive {
namespace {

using ir::Graph;
using ir::NodeId;
using ir::Op;
using E = ir::Expression;
using Nodes = std::vector<NodeId>;

// NaN stays NaN.
NodeId filtered(Graph& graph, Filter filter, NodeId eigenvalue) {
  const E l{&graph, eigenvalue};
  return filter == Filter::clamp ? l.constant(0).apply(Op::max, {l}).node : l.apply(Op::abs).node;
}

// The Hessian's entries (i, j), i <= j, column by column: of the gradient's first components only, which is enough.
std::vector<Nodes> upper_columns(Graph& graph, const Nodes& gradient, std::span<const NodeId> variables) {
  std::vector<Nodes> columns;
  for (std::size_t j = 0; j < variables.size(); ++j) {
    const NodeId one = graph.constant(1);
    columns.push_back(directional(graph, std::span(gradient).first(j + 1), variables.subspan(j, 1), {&one, 1}));
  }
  return columns;
}

// In the frame of U and V: the 3x3 matrix of second derivatives on the diagonal, the pair quotients off it.
Nodes isotropic(Graph& graph, const PrincipalForm& form, Filter filter, std::span<const NodeId> inputs,
                std::span<const NodeId> direction) {
  const NodeId svd = graph.apply(Op::svd, inputs.first(9));
  Nodes sigma;
  for (std::uint32_t k = 0; k < 3; ++k) sigma.push_back(graph.part(svd, k));
  Nodes psi_inputs = sigma;
  psi_inputs.insert(psi_inputs.end(), inputs.begin() + 9, inputs.end());
  const NodeId psi = ir::transplant(form.graph, {&form.psi, 1}, graph, psi_inputs).front();
  const Nodes slope = gradient(graph, psi, sigma);

  const auto columns = upper_columns(graph, slope, sigma);
  const Nodes curvature = {columns[0][0], columns[1][0], columns[2][0], columns[1][1], columns[2][1], columns[2][2]};
  const NodeId eigen = graph.apply(Op::eigen, curvature);
  const Nodes unused(3, graph.constant(0));
  Nodes operands = {eigen};
  for (std::uint32_t k = 0; k < 3; ++k) operands.push_back(filtered(graph, filter, graph.part(eigen, k)));
  operands.insert(operands.end(), unused.begin(), unused.end());
  const NodeId matrix = graph.apply(Op::eigen_compose, operands);

  FrameMap map;
  const Nodes minus = minus_quotients(graph, slope, sigma), plus = plus_quotients(graph, slope, sigma);
  for (std::size_t p = 0; p < 3; ++p) {
    map.minus[p] = {&graph, filtered(graph, filter, minus[p])};
    map.plus[p] = {&graph, filtered(graph, filter, plus[p])};
  }
  constexpr std::uint32_t upper[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) map.diagonal[i][j] = {&graph, graph.part(matrix, upper[i][j])};
  return apply_in_frame(graph, svd, map, direction);
}

}  // namespace

Nodes filtered_hessian_vector(Graph& graph, const ir::Energy& energy, Filter filter, std::span<const NodeId> inputs,
                              std::span<const NodeId> direction) {
  if (const auto form = principal_form(energy)) return isotropic(graph, *form, filter, inputs, direction);

  const std::size_t n = energy.strain_components();
  const auto strain = inputs.first(n);
  const NodeId density = ir::transplant(energy.graph, {&energy.density, 1}, graph, inputs).front();
  const Nodes slope = gradient(graph, density, strain);
  const auto columns = upper_columns(graph, slope, strain);
  Nodes hessian;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) hessian.push_back(columns[std::max(i, j)][std::min(i, j)]);
  Nodes product = absolute_value_product(graph, hessian, direction);
  if (filter == Filter::absolute) return product;
  const Nodes exact = directional(graph, slope, strain, direction);
  for (std::size_t k = 0; k < n; ++k)  // max(l, 0) = (l + |l|)/2
    product[k] = (0.5 * (E{&graph, exact[k]} + E{&graph, product[k]})).node;
  return product;
}

}  // namespace proxima::derive
