#include "compiler/ir/fold.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "compiler/ir/operators.hpp"

namespace proxima::ir {
namespace {

using Folded = std::optional<NodeId>;

// The graph and the operands of one application, with the questions that the rules ask.
struct Application {
  Graph& graph;
  std::array<NodeId, 3> x;
  SourceLocation where;

  NodeId apply(Op op, std::initializer_list<NodeId> operands) const {
    return graph.apply(op, {operands.begin(), operands.size()}, where);
  }
  bool is(Op op, NodeId id) const { return graph.node(id).op == op; }
  NodeId operand(NodeId id, std::size_t k) const { return graph.operands(id)[k]; }
  NodeId constant(double value) const { return graph.constant(value); }
  NodeId negated(NodeId id) const { return apply(Op::neg, {id}); }
};

Folded fold_add(const Application& f) {
  for (auto [a, b] : {std::pair(f.x[0], f.x[1]), std::pair(f.x[1], f.x[0])}) {
    if (f.graph.is_constant(a, -0.0)) return b;
    if (f.is(Op::neg, b)) return f.apply(Op::sub, {a, f.operand(b, 0)});
  }
  if (f.x[0] == f.x[1]) return f.apply(Op::mul, {f.constant(2), f.x[0]});
  return {};
}

Folded fold_sub(const Application& f) {
  const auto [a, b, unused] = f.x;
  if (f.graph.is_constant(a, -0.0)) return f.negated(b);
  if (f.is(Op::neg, b)) return f.apply(Op::add, {a, f.operand(b, 0)});
  if (f.graph.is_constant(b)) return f.apply(Op::add, {a, f.constant(-f.graph.constant_value(b))});
  return {};
}

Folded fold_mul(const Application& f) {
  for (auto [a, b] : {std::pair(f.x[0], f.x[1]), std::pair(f.x[1], f.x[0])}) {
    if (f.graph.is_constant(a, 1)) return b;
    if (f.graph.is_constant(a, -1)) return f.negated(b);
    if (f.is(Op::neg, b)) {
      if (f.graph.is_constant(a)) return f.apply(Op::mul, {f.negated(a), f.operand(b, 0)});
      return f.negated(f.apply(Op::mul, {a, f.operand(b, 0)}));
    }
  }
  return {};
}

// 1/c when that is exact: c is a power of two whose inverse is a normal number.
std::optional<double> exact_inverse(double c) {
  int exponent = 0;
  if (!std::isnormal(c) || std::fabs(std::frexp(c, &exponent)) != 0.5 || !std::isnormal(1 / c)) return {};
  return 1 / c;
}

Folded fold_div(const Application& f) {
  const auto [a, b, unused] = f.x;
  if (f.is(Op::neg, a)) return f.negated(f.apply(Op::div, {f.operand(a, 0), b}));
  if (f.is(Op::neg, b)) return f.negated(f.apply(Op::div, {a, f.operand(b, 0)}));
  if (!f.graph.is_constant(b)) return {};
  if (const auto inverse = exact_inverse(f.graph.constant_value(b))) return f.apply(Op::mul, {f.constant(*inverse), a});
  return {};
}

// A minus sign moves into a constant factor or numerator, and disappears in front of another.
Folded fold_neg(const Application& f) {
  const NodeId a = f.x[0];
  if (f.is(Op::neg, a)) return f.operand(a, 0);
  if ((f.is(Op::mul, a) || f.is(Op::div, a)) && f.graph.is_constant(f.operand(a, 0)))
    return f.apply(f.graph.node(a).op, {f.negated(f.operand(a, 0)), f.operand(a, 1)});
  return {};
}

Folded fold_abs(const Application& f) {
  if (f.is(Op::neg, f.x[0])) return f.apply(Op::abs, {f.operand(f.x[0], 0)});
  if (f.is(Op::abs, f.x[0])) return f.x[0];
  return {};
}

Folded fold_same(const Application& f) {
  if (f.x[0] == f.x[1]) return f.x[0];
  return {};
}

Folded fold_not(const Application& f) {
  if (f.is(Op::logical_not, f.x[0])) return f.operand(f.x[0], 0);
  return {};
}

Folded fold_select(const Application& f) {
  if (f.x[1] == f.x[2]) return f.x[1];
  if (f.is(Op::logical_not, f.x[0])) return f.apply(Op::select, {f.operand(f.x[0], 0), f.x[2], f.x[1]});
  return {};
}

using Rule = Folded (*)(const Application&);
constexpr std::pair<Op, Rule> rules[] = {
    {Op::add, fold_add},          {Op::sub, fold_sub},         {Op::mul, fold_mul},         {Op::div, fold_div},
    {Op::neg, fold_neg},          {Op::abs, fold_abs},         {Op::min, fold_same},        {Op::max, fold_same},
    {Op::logical_and, fold_same}, {Op::logical_or, fold_same}, {Op::logical_not, fold_not}, {Op::select, fold_select},
};

constexpr auto rule_of = [] {
  std::array<Rule, all_op_count> of{};
  for (auto [op, rule] : rules) of[static_cast<std::size_t>(op)] = rule;
  return of;
}();

Folded fold_constants(Graph& graph, const Operator& row, std::span<const NodeId> operands) {
  if (!row.exact || row.form == Form::select) return {};
  double values[3] = {};
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!graph.is_constant(operands[k])) return {};
    values[k] = graph.constant_value(operands[k]);
  }
  return graph.constant(row.evaluate(values));
}

}  // namespace

std::optional<NodeId> fold(Graph& graph, Op op, std::span<const NodeId> operands, SourceLocation where) {
  if (const auto constant = fold_constants(graph, describe(op), operands)) return constant;
  const Rule rule = rule_of[static_cast<std::size_t>(op)];
  if (rule == nullptr) return {};
  Application application{graph, {}, where};
  std::copy(operands.begin(), operands.end(), application.x.begin());
  return rule(application);
}

}  // namespace proxima::ir
