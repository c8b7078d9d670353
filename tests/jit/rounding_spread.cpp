#include "tests/jit/rounding_spread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>

#include "compiler/ir/analysis.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::jit::testing {
namespace {

using ir::Form;
using ir::Graph;
using ir::NodeId;
using ir::Op;
using Number = long double;
using Numbers = std::vector<Number>;

class Run {
 public:
  Run(emit::Precision precision, unsigned seed, bool exact) : random_(seed), exact_(exact) {
    const bool fp64 = precision == emit::Precision::fp64;
    epsilon_ = fp64 ? 0x1p-52L : 0x1p-23L;
    smallest_ =
        fp64 ? Number(std::numeric_limits<double>::denorm_min()) : Number(std::numeric_limits<float>::denorm_min());
    largest_ = fp64 ? Number(std::numeric_limits<double>::max()) : Number(std::numeric_limits<float>::max());
  }
  bool out_of_range() const { return out_of_range_; }

  Numbers evaluate(const Graph& graph, const std::vector<NodeId>& roots, std::span<const Number> inputs) {
    const std::vector<bool> live = live_nodes(graph, roots);
    std::vector<Numbers> values(graph.size());
    for (std::uint32_t i = 0; i < graph.size(); ++i)
      if (live[i]) values[i] = value_of(graph, {i}, values, inputs);
    Numbers results;
    for (const NodeId root : roots) results.push_back(values[root.index].at(0));
    return results;
  }

 private:
  Number off(Number size) {
    return exact_ ? 0 : size * epsilon_ * std::uniform_real_distribution<Number>(-1, 1)(random_);
  }
  Number rounded(Number value) {
    if (std::isfinite(value) && std::fabs(value) > largest_) out_of_range_ = true;
    return value + off(value) + (value == 0 ? 0 : off(smallest_ / epsilon_));
  }

  Numbers value_of(const Graph& graph, NodeId id, const std::vector<Numbers>& values, std::span<const Number> inputs) {
    const ir::Node& node = graph.node(id);
    const ir::Operator& row = ir::describe(node.op);
    if (node.op == Op::constant) return {rounded(graph.constant_value(id))};
    if (node.op == Op::input) return {inputs[node.payload]};
    Numbers x;
    for (const NodeId operand : graph.operands(id)) {
      const Numbers& value = values[operand.index];
      x.insert(x.end(), value.begin(), value.end());
      // Fused into this sum, a product is not rounded, whatever its other users see.
      const bool sum = node.op == Op::add || node.op == Op::sub;
      if (sum && graph.node(operand).op == Op::mul) x.back() += off(x.back());
    }
    if (row.form == Form::part) return {x.at(node.payload)};
    if (row.form == Form::loop) return repeat(graph.loop_of(id), std::move(x));
    if (row.result == ir::Type::bundle) return composite(row, std::move(x));
    const Number value = row.evaluate_extended(x.data());
    const bool exact = row.result == ir::Type::truth || row.form == Form::select ||
                       row.form == Form::comparison_select || node.op == Op::neg || node.op == Op::abs;
    return {exact ? value : rounded(value)};
  }

  // Backward stable: exact for operands that are off by a few roundings of the largest.
  Numbers composite(const ir::Operator& row, Numbers x) {
    Number largest = 0;
    const bool composes = row.op == Op::svd_compose || row.op == Op::eigen_compose;
    const std::size_t first = !composes                   ? 0
                              : row.op == Op::svd_compose ? 21
                                                          : 12,
                      last = composes ? first + 3 : x.size();
    for (std::size_t k = first; k < last; ++k) largest = std::max(largest, std::fabs(x[k]));
    if (!composes)
      for (Number& number : x) number += off(4 * largest);
    Numbers parts(row.parts);
    row.evaluate_parts_extended(x.data(), parts.data());
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const bool unit = row.op == Op::polar || (!composes && k >= 3);  // an entry of a rotation
      parts[k] = rounded(parts[k] + off(4 * (unit ? Number(1) : largest)));
    }
    return parts;
  }

  Numbers repeat(const ir::Loop& loop, Numbers x) {
    std::vector<NodeId> roots = loop.next;
    roots.push_back(loop.again);
    for (std::uint32_t trip = 0; trip < loop.max_trips; ++trip) {
      const Numbers results = evaluate(*loop.body, roots, x);
      if (results.back() == 0) break;
      std::copy(results.begin(), results.end() - 1, x.begin());
    }
    x.resize(loop.next.size());
    return x;
  }

  std::mt19937 random_;
  const bool exact_;
  Number epsilon_, smallest_, largest_;
  bool out_of_range_ = false;
};

}  // namespace

std::vector<double> rounding_spread(const ir::Kernel& kernel, const std::vector<double>& inputs,
                                    emit::Precision precision) {
  const Numbers x(inputs.begin(), inputs.end());
  Run exact(precision, 0, true);
  const Numbers expected = exact.evaluate(kernel.graph, kernel.results, x);
  std::vector<double> spread(expected.size());
  for (unsigned seed = 1; seed <= 6; ++seed) {
    Run run(precision, seed, false);
    const Numbers results = run.evaluate(kernel.graph, kernel.results, x);
    for (std::size_t k = 0; k < results.size(); ++k) {
      const double change = static_cast<double>(std::fabs(results[k] - expected[k]));
      if (run.out_of_range())
        spread[k] = INFINITY;
      else if (results[k] != expected[k] && !(change <= spread[k]))
        spread[k] = change;
    }
  }
  return spread;
}

bool has_bundles(const ir::Graph& graph) {
  for (std::uint32_t i = 0; i < graph.size(); ++i)
    if (graph.type({i}) == ir::Type::bundle || graph.node({i}).op == Op::gap) return true;
  return false;
}

}  // namespace proxima::jit::testing
