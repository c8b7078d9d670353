// The branch of a select that is not taken has no influence on any derivative, even where it is inf or NaN.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <random>

#include "compiler/derive/derive.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/ir/interpreter.hpp"

namespace proxima::derive {
namespace {

using ir::Expression;
using ir::Graph;
using ir::NodeId;
using ir::Op;

class Branches : public testing::Test {
 protected:
  struct Values {
    double first, second_forward, second_reverse;
  };
  // df/dx, and d2f/dx2 both ways.
  Values derivatives(Expression f, double at, double other = 0) {
    const NodeId one = graph.constant(1);
    const NodeId first = gradient(graph, f.node, {&x.node, 1})[0];
    const NodeId forward = directional(graph, {&first, 1}, {&x.node, 1}, {&one, 1})[0];
    const NodeId reverse = gradient(graph, first, {&x.node, 1})[0];
    const std::array nodes{first, forward, reverse};
    const auto values = ir::evaluate<double>(graph, nodes, std::vector{at, other});
    return {values[0], values[1], values[2]};
  }
  void expect(Expression f, double at, double first, double second) {
    const Values values = derivatives(f, at);
    EXPECT_DOUBLE_EQ(values.first, first) << "at " << at;
    EXPECT_DOUBLE_EQ(values.second_forward, second) << "at " << at;
    EXPECT_DOUBLE_EQ(values.second_reverse, second) << "at " << at;
  }
  Graph graph;
  Expression x{&graph, graph.input(0)}, y{&graph, graph.input(1)};
};

TEST_F(Branches, LogarithmIsGuarded) {
  const Expression f = select(less(0, x), x.apply(Op::log), 0);
  for (double at : {-1.0, 0.0, -0.0}) expect(f, at, 0, 0);
  expect(f, 2, 0.5, -0.25);
}

TEST_F(Branches, EveryPartialOperatorIsGuarded) {
  const Expression one = x.constant(1);
  for (Expression singular : {x.apply(Op::sqrt), x.apply(Op::cbrt), 1 / x, x.apply(Op::log), (x - 1).apply(Op::log1p),
                              x.apply(Op::pow, {one * 1.5}), y.apply(Op::atan2, {x}), (1 / x).apply(Op::exp),
                              (1 / x) * x.apply(Op::log) * y, (800 / x).apply(Op::tanh) / x}) {
    expect(select(less(0, x), singular, 3 * x), 0, 3, 0);
    expect(select(less(0, x), singular, x * x), -1, -2, 2);
    expect(select(less(x, 0.5), x * x, singular) * 2, 0, 0, 4);
  }
}

TEST_F(Branches, AnOverflowIsGuardedToo) {
  const Expression huge = (1000 * x).apply(Op::exp);
  expect(select(less(x, 0.1), huge, x), 3, 1, 0);
  expect(select(less(x, 0.1), huge * x * y, x), 3, 1, 0);
}

TEST_F(Branches, BranchesInsideBranches) {
  const Expression inner = select(less(1, x), (x - 1).apply(Op::log), (x - 0.5).apply(Op::sqrt));
  const Expression f = select(less(0.5, x), inner, x * x);
  expect(f, 2, 1, -1);
  expect(f, 0.75, 1, -2);
  expect(f, 0.5, 1, 2);
  expect(f, -4, -8, 2);
}

TEST_F(Branches, AValueSharedByBothBranchesIsNotGuarded) {
  const Expression root = x.apply(Op::sqrt);
  const Expression f = select(less(x, y), root, 2 * root);
  expect(f, 4, 2 * 0.25, -2 * 0.03125);
  // Neither sqrt nor its derivative needs a select: one chooses the adjoint 1 or 2.
  const NodeId first = gradient(graph, f.node, {&x.node, 1})[0];
  int selects = 0;
  const auto live = ir::live_nodes(graph, {&first, 1});
  for (std::uint32_t i = 0; i < live.size(); ++i) selects += live[i] && graph.node({i}).op == Op::select;
  EXPECT_LE(selects, 2);
}

TEST_F(Branches, AValueUsedInsideAndOutsideCountsOutside) {
  const Expression root = x.apply(Op::sqrt);
  const Expression f = select(less(y, 0), root * root, 1) + 3 * root;
  expect(f, 4, 0.75, -3.0 / 32);
}

TEST_F(Branches, TwoGuardsOnOneValue) {
  const Expression inverse = 1 / x;
  const Expression f = select(less(1, x), inverse, 0) + select(less(x, -1), inverse * inverse, 0);
  expect(f, 0, 0, 0);
  expect(f, 2, -0.25, 0.25);
  expect(f, -2, 0.25, 6.0 / 16);
}

TEST_F(Branches, AProductOfTwoSelectsMovesWithBoth) {
  const Expression f = select(less(x, 3), x * x, 0) * select(less(1, x), x, 0);  // x^3 for 1 < x < 3
  expect(f, 2, 12, 12);
  expect(f, 0.5, 0, 0);
  const Expression g = select(less(1, x), 0, x) * select(less(x, 3), 1 / x, 0) * y;  // y for x <= 1
  EXPECT_EQ(derivatives(g, 0.5, 2).first, 0);
  const NodeId by_y = gradient(graph, g.node, {&y.node, 1})[0];
  EXPECT_EQ(ir::evaluate<double>(graph, {&by_y, 1}, std::vector{0.5, 2.0})[0], 1);
}

TEST_F(Branches, ASelectAsAFactorCostsOneProduct) {
  const Expression factor = select(less(y, 0), y * y, 2 * y);
  const NodeId first = gradient(graph, (factor * x.apply(Op::sin)).node, {&x.node, 1})[0];
  EXPECT_EQ(first, (factor * x.apply(Op::cos)).node);
}

TEST_F(Branches, MinAndMaxGuardTheirLoser) {
  const Expression root = x.apply(Op::sqrt);  // NaN below 0, infinite slope at 0
  expect(root.apply(Op::max, {x + 1}), 0, 1, 0);
  expect((x - 1).apply(Op::min, {root}), 0, 1, 0);
  expect(x.apply(Op::abs), 0, 0, 0);
  expect(x.apply(Op::abs), -2, -1, 0);
}

TEST_F(Branches, ATrueSingularityIsNotHidden) {
  EXPECT_EQ(derivatives(x.apply(Op::sqrt), 0).first, std::numeric_limits<double>::infinity());
}

// ------------------------------------------------------------------------------------------------------------------
// Random formulas against an independent differentiation that walks only the branches taken.

template <class T>
struct Dual {
  T value{}, slope{};
};
double value_of(double x) { return x; }
template <class T>
double value_of(const Dual<T>& x) {
  return value_of(x.value);
}
bool finite(double x) { return std::isfinite(x); }
template <class T>
bool finite(const Dual<T>& x) {
  return finite(x.value) && finite(x.slope);
}
template <class T>
T number(double c) {
  if constexpr (std::is_same_v<T, double>)
    return c;
  else
    return {number<decltype(T::value)>(c), {}};
}

template <class T>
Dual<T> operator+(const Dual<T>& a, const Dual<T>& b) {
  return {a.value + b.value, a.slope + b.slope};
}
template <class T>
Dual<T> operator-(const Dual<T>& a, const Dual<T>& b) {
  return {a.value - b.value, a.slope - b.slope};
}
template <class T>
Dual<T> operator-(const Dual<T>& a) {
  return {-a.value, -a.slope};
}
template <class T>
Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) {
  return {a.value * b.value, a.slope * b.value + a.value * b.slope};
}
template <class T>
Dual<T> operator/(const Dual<T>& a, const Dual<T>& b) {
  return {a.value / b.value, a.slope / b.value - a.value * b.slope / (b.value * b.value)};
}
template <class T>
Dual<T> sqrt(const Dual<T>& a) {
  using std::sqrt;
  return {sqrt(a.value), a.slope / (number<T>(2) * sqrt(a.value))};
}
template <class T>
Dual<T> log(const Dual<T>& a) {
  using std::log;
  return {log(a.value), a.slope / a.value};
}
template <class T>
Dual<T> exp(const Dual<T>& a) {
  using std::exp;
  return {exp(a.value), a.slope * exp(a.value)};
}

// Evaluates node after node, on demand; gives up (nullopt) when something on the way is not finite.
template <class T>
class Walk {
 public:
  Walk(const Graph& graph, std::vector<T> inputs) : graph_(graph), inputs_(std::move(inputs)) {}
  std::optional<T> operator()(NodeId id) {
    if (const auto found = known_.find(id.index); found != known_.end()) return found->second;
    const std::optional<T> result = compute(id);
    if (!result || !finite(*result)) return std::nullopt;
    known_[id.index] = *result;
    return result;
  }

 private:
  std::optional<bool> truth(NodeId id) {
    const auto a = (*this)(graph_.operands(id)[0]), b = (*this)(graph_.operands(id)[1]);
    if (!a || !b) return std::nullopt;
    return value_of(*a) < value_of(*b);
  }
  std::optional<T> compute(NodeId id) {
    using std::exp, std::log, std::sqrt;
    const ir::Node& node = graph_.node(id);
    const auto x = graph_.operands(id);
    if (node.op == Op::constant) return number<T>(graph_.constant_value(id));
    if (node.op == Op::input) return inputs_.at(node.payload);
    if (node.op == Op::select) {
      const auto condition = truth(x[0]);
      return condition ? (*this)(*condition ? x[1] : x[2]) : std::nullopt;
    }
    const auto a = (*this)(x[0]);
    const auto b = x.size() > 1 ? (*this)(x[1]) : a;
    if (!a || !b) return std::nullopt;
    switch (node.op) {
      case Op::add:
        return *a + *b;
      case Op::sub:
        return *a - *b;
      case Op::mul:
        return *a * *b;
      case Op::div:
        return *a / *b;
      case Op::neg:
        return -*a;
      case Op::sqrt:
        return sqrt(*a);
      case Op::log:
        return log(*a);
      case Op::exp:
        return exp(*a);
      case Op::min:
        return value_of(*a) < value_of(*b) ? *a : *b;
      case Op::max:
        return value_of(*b) < value_of(*a) ? *a : *b;
      default:
        throw std::logic_error("not walked");
    }
  }
  const Graph& graph_;
  std::vector<T> inputs_;
  std::map<std::uint32_t, T> known_;
};

TEST(RandomBranches, DerivativesAgreeWithAWalkAlongTheBranchesTaken) {
  std::mt19937 random(3);
  const auto pick = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  const std::vector<Op> ops = {Op::add, Op::sub, Op::mul, Op::div,    Op::neg,    Op::sqrt,  Op::log,
                               Op::exp, Op::min, Op::max, Op::select, Op::select, Op::select};
  const std::vector<double> points = {-1, 0, 1, 0.5, 2, -0.25};
  int compared = 0, poisonous = 0;
  for (int round = 0; round < 20000; ++round) {
    Graph graph;
    const std::array inputs{graph.input(0), graph.input(1)};
    std::vector<NodeId> nodes = {inputs[0], inputs[1], graph.constant(0), graph.constant(1.5)};
    for (int step = 0; step < 14; ++step) {
      const Op op = ops[pick(ops.size())];
      std::array<NodeId, 3> x = {nodes[pick(nodes.size())], nodes[pick(nodes.size())], nodes[pick(nodes.size())]};
      if (op == Op::select) x[0] = graph.apply(Op::less, std::array{x[0], nodes[pick(nodes.size())]});
      nodes.push_back(graph.apply(op, std::span(x).first(ir::describe(op).arity)));
    }
    const NodeId root = nodes.back();
    const std::vector<double> point = {points[pick(points.size())], points[pick(points.size())]};
    using Second = Dual<Dual<double>>;
    Walk<Second> walk(graph, {{{point[0], 1}, {1, 0}}, {{point[1], 0.5}, {0, 0}}});  // d/dx, then along (1, 0.5)
    std::optional<Second> expected;
    try {
      expected = walk(root);
    } catch (const std::logic_error&) {
      continue;  // a negated condition came out of folding
    }
    if (!expected || std::fabs(expected->slope.slope) > 1e8) continue;

    const NodeId first = gradient(graph, root, inputs)[0];
    const std::array seeds{graph.constant(1), graph.constant(0.5)};
    const NodeId second = directional(graph, {&first, 1}, inputs, seeds)[0];
    const auto by_both = gradient(graph, first, inputs);
    const std::array results{first, second, by_both[0], by_both[1]};
    const auto values = ir::evaluate<double>(graph, results, point);
    ++compared;
    const auto tolerance = [](double x) { return 1e-9 * std::max(1.0, std::fabs(x)); };
    ASSERT_NEAR(values[0], expected->slope.value, tolerance(expected->slope.value)) << "round " << round;
    ASSERT_NEAR(values[1], expected->slope.slope, tolerance(expected->slope.slope)) << "round " << round;
    ASSERT_NEAR(values[2] + 0.5 * values[3], expected->slope.slope, tolerance(expected->slope.slope))
        << "round " << round;
    std::vector<double> everything = ir::evaluate<double>(graph, nodes, point);
    for (double v : everything)
      if (!std::isfinite(v)) {
        ++poisonous;
        break;
      }
  }
  EXPECT_GT(compared, 4000);
  EXPECT_GT(poisonous, 300);  // the test would be idle if no branch were singular
}

}  // namespace
}  // namespace proxima::derive
