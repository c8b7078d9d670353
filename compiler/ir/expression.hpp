// Formulas over a graph in ordinary notation, for code that builds nodes: derivative rules, kernels, tests. Authors of
// energies use compiler/dsl instead, which knows units and source lines.
#pragma once

#include <initializer_list>

#include "compiler/ir/graph.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::ir {

struct Expression {
  Graph* graph = nullptr;
  NodeId node;

  Expression apply(Op op, std::initializer_list<Expression> rest = {}) const {
    NodeId operands[3] = {node};
    std::size_t count = 1;
    for (const Expression& operand : rest) operands[count++] = operand.node;
    return {graph, graph->apply(op, {operands, count})};
  }
  Expression constant(double value) const { return {graph, graph->constant(value)}; }

  friend Expression operator+(Expression a, Expression b) { return a.apply(Op::add, {b}); }
  friend Expression operator-(Expression a, Expression b) { return a.apply(Op::sub, {b}); }
  friend Expression operator*(Expression a, Expression b) { return a.apply(Op::mul, {b}); }
  friend Expression operator/(Expression a, Expression b) { return a.apply(Op::div, {b}); }
  friend Expression operator-(Expression a) { return a.apply(Op::neg); }
  friend Expression operator+(double a, Expression b) { return b.constant(a) + b; }
  friend Expression operator-(double a, Expression b) { return b.constant(a) - b; }
  friend Expression operator*(double a, Expression b) { return b.constant(a) * b; }
  friend Expression operator/(double a, Expression b) { return b.constant(a) / b; }
  friend Expression operator+(Expression a, double b) { return a + a.constant(b); }
  friend Expression operator-(Expression a, double b) { return a - a.constant(b); }
  friend Expression operator*(Expression a, double b) { return a * a.constant(b); }
  friend Expression operator/(Expression a, double b) { return a / a.constant(b); }
  friend Expression less(Expression a, Expression b) { return a.apply(Op::less, {b}); }
  friend Expression less(double a, Expression b) { return less(b.constant(a), b); }
  friend Expression less(Expression a, double b) { return less(a, a.constant(b)); }
  friend Expression select(Expression condition, Expression a, Expression b) {
    return condition.apply(Op::select, {a, b});
  }
  friend Expression select(Expression condition, Expression a, double b) { return select(condition, a, a.constant(b)); }
  friend Expression select(Expression condition, double a, Expression b) { return select(condition, b.constant(a), b); }
  friend Expression select(Expression condition, double a, double b) {
    return select(condition, condition.constant(a), condition.constant(b));
  }
};

}  // namespace proxima::ir
