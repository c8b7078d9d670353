#include "tests/jit/rounding_bound.hpp"

#include <cmath>
#include <span>

#include "compiler/ir/operators.hpp"

namespace proxima::jit::testing {
namespace {

// |d result / d operand k| by a central difference in extended precision.
double sensitivity(const ir::Operator& row, std::span<const double> x, std::size_t k) {
  long double at[3] = {};
  for (std::size_t i = 0; i < x.size(); ++i) at[i] = x[i];
  const long double step = 1e-7L * std::fabs(at[k]) + 1e-30L;
  at[k] = x[k] + step;
  const long double above = row.evaluate_extended(at);
  at[k] = x[k] - step;
  const long double below = row.evaluate_extended(at);
  const double slope = static_cast<double>(std::fabs(above - below) / (2 * step));
  // Never 0, so that an infinite error is passed on.
  return std::isfinite(slope) ? slope + 1e-300 : 1e-300;
}

}  // namespace

std::vector<double> rounding_bound(const ir::Kernel& kernel, const std::vector<double>& inputs, double largest) {
  const ir::Graph& graph = kernel.graph;
  std::vector<double> value(graph.size()), error(graph.size());
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    const ir::Node& node = graph.node({i});
    if (node.op == ir::Op::input) {
      value[i] = inputs.at(node.payload);
    } else if (node.op == ir::Op::constant) {
      value[i] = graph.constant_value({i});
      error[i] = std::fabs(value[i]);
    } else {
      const ir::Operator& row = ir::describe(node.op);
      double x[3] = {};
      std::size_t count = 0;
      for (const ir::NodeId operand : graph.operands({i})) x[count++] = value[operand.index];
      value[i] = row.evaluate(x);
      if (row.result == ir::Type::truth) continue;
      error[i] = std::fabs(value[i]);
      for (std::size_t k = 0; k < count; ++k)
        if (row.operand_types[k] == ir::Type::number && error[graph.operands({i})[k].index] != 0)
          error[i] += sensitivity(row, {x, count}, k) * error[graph.operands({i})[k].index];
      if (std::isfinite(value[i]) && std::fabs(value[i]) > largest) error[i] = INFINITY;
    }
  }
  std::vector<double> bounds;
  for (const ir::NodeId result : kernel.results) bounds.push_back(error[result.index]);
  return bounds;
}

}  // namespace proxima::jit::testing
