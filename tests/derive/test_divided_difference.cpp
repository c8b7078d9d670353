// Divided differences: each operator's rule against the plain quotient in extended precision at a wide gap, against the
// mean of the derivative over narrow gaps, and against the derivative at none.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "compiler/derive/derive.hpp"
#include "compiler/derive/divided_difference.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/support/error.hpp"

namespace proxima::derive {
namespace {

using ir::Expression;
using ir::NodeId;
using ir::Op;

// A function of two numbers and its quotient: inputs 0, 1 are the operands, 2, 3 the moved ones, 4, 5 the velocities
// and 6 the gap.
struct Quotient {
  ir::Graph graph;
  NodeId f, quotient;
  std::vector<NodeId> slope;  // d f by both operands

  template <class Formula>
  explicit Quotient(const Formula& formula) {
    std::array<NodeId, 7> in;
    for (std::uint32_t slot = 0; slot < 7; ++slot) in[slot] = graph.input(slot);
    const std::span all(in);
    f = formula(Expression{&graph, in[0]}, Expression{&graph, in[1]}).node;
    quotient = divided_difference(graph, {&f, 1}, all.subspan(0, 2), all.subspan(2, 2), all.subspan(4, 2), in[6])[0];
    slope = gradient(graph, f, all.subspan(0, 2));
  }

  // Ends that are numbers in double, with velocities that lead from one to the other.
  struct Move {
    double a, b, a2, b2;
  };
  static Move move(double a, double b, double va, double vb, double gap) { return {a, b, a + gap * va, b + gap * vb}; }

  double operator()(Move m, double gap) const {
    const std::vector<double> x = {m.a, m.b, m.a2, m.b2, (m.a2 - m.a) / gap, (m.b2 - m.b) / gap, gap};
    return ir::evaluate<double>(graph, {&quotient, 1}, x)[0];
  }
  double at_rest(double a, double b, double va, double vb) const {
    const std::vector<double> x = {a, b, a, b, va, vb, 0};
    return ir::evaluate<double>(graph, {&quotient, 1}, x)[0];
  }
  long double plain(Move m, long double gap) const {
    const std::vector<long double> from = {m.a, m.b}, to = {m.a2, m.b2};
    const NodeId node = f;
    return (ir::evaluate<long double>(graph, {&node, 1}, to)[0] -
            ir::evaluate<long double>(graph, {&node, 1}, from)[0]) /
           gap;
  }
  // What rounding is measured by: the two terms that make up the result, and the function in the reference.
  double size(Move m, double gap) const {
    const auto d = ir::evaluate<double>(graph, slope, std::vector<double>{m.a, m.b});
    return std::fabs(d[0] * (m.a2 - m.a) / gap) + std::fabs(d[1] * (m.b2 - m.b) / gap);
  }
  // No operator on the way is outside its domain, as a logarithm that min then passes over, nor at its edge, as a root
  // of 0.
  bool is_inside_domains(Move m) const {
    std::vector<NodeId> nodes;
    const std::vector<bool> live = ir::live_nodes(graph, {&f, 1});
    for (std::uint32_t i = 0; i < live.size(); ++i)
      if (live[i] && graph.type({i}) == ir::Type::number) nodes.push_back({i});
    for (const std::vector<double>& x : {std::vector{m.a, m.b}, {m.a2, m.b2}})
      for (double inside : ir::evaluate<double>(graph, nodes, x))
        if (!std::isfinite(inside) || inside == 0) return false;
    return true;
  }
  double value(Move m) const {
    return std::fabs(ir::evaluate<double>(graph, {&f, 1}, std::vector<double>{m.a, m.b})[0]);
  }
  // The mean of the slope from one end to the other: three Gauss points, exact to gap^6.
  long double mean_slope(Move m, long double gap) const {
    const long double outer = std::sqrt(0.6L) / 2;
    const std::pair<long double, long double> points[] = {{0.5L - outer, 5}, {0.5L, 8}, {0.5L + outer, 5}};
    const long double da = static_cast<long double>(m.a2) - m.a, db = static_cast<long double>(m.b2) - m.b;
    long double sum = 0;
    for (auto [t, weight] : points) {
      const std::vector<long double> x = {m.a + t * da, m.b + t * db};
      const auto d = ir::evaluate<long double>(graph, slope, x);
      sum += weight * (d[0] * da + d[1] * db) / 18;
    }
    return sum / gap;
  }
};

struct Point {
  double a, b, va, vb;
};
struct Case {
  std::string name;
  std::function<Expression(Expression, Expression)> f;
  std::vector<Point> points;
};

Case one(Op op, std::initializer_list<double> points) {
  Case result{std::string(ir::describe(op).name), [op](Expression a, Expression) { return a.apply(op); }, {}};
  for (double a : points)
    for (double v : {1.0, -0.7}) result.points.push_back({a, 0, v, 0});
  return result;
}
Case two(Op op, std::initializer_list<std::pair<double, double>> points) {
  Case result{std::string(ir::describe(op).name), [op](Expression a, Expression b) { return a.apply(op, {b}); }, {}};
  for (auto [a, b] : points)
    for (auto [va, vb] : {std::pair(1.0, 0.0), {0.0, 1.0}, {-0.7, 0.4}, {1.0, -1.0}})
      result.points.push_back({a, b, va, vb});
  return result;
}

std::vector<Case> cases() {
  const auto both_signs = {std::pair(1.3, 0.7), {-0.4, 2.5}, {-1.5, -0.8}};
  return {
      two(Op::add, both_signs),
      two(Op::sub, both_signs),
      two(Op::mul, both_signs),
      two(Op::div, both_signs),
      two(Op::min, both_signs),
      two(Op::max, both_signs),
      two(Op::atan2, {{1.3, 0.7}, {-0.4, 2.5}, {0.5, -0.8}, {-1.5, -0.8}, {0.3, 0.1}}),
      two(Op::pow, {{1.3, 0.7}, {0.4, -2.5}, {2.5, 30.0}, {0.2, 1.0}, {3.0, 0.2}}),
      one(Op::neg, {1.1, -2}),
      one(Op::sqrt, {0.3, 4, 1e4}),
      one(Op::cbrt, {0.3, -2, 30}),
      one(Op::exp, {0, 1.5, -20, 20, -600, 600}),
      one(Op::expm1, {0.2, -1.5, -4, 20}),
      one(Op::log, {0.2, 1, 1.3, 1e4}),
      one(Op::log1p, {-0.7, 1e-3, 1.3, 1e4}),
      one(Op::sin, {0, 1, -2.5}),
      one(Op::cos, {0.3, 1, -2.5}),
      one(Op::tan, {0, 1, -2.5}),
      one(Op::tanh, {0, 0.4, -1.5}),
      one(Op::abs, {0.4, -1.5}),
      {"gap",
       [](Expression a, Expression b) { return a.apply(Op::gap, {b}); },
       {{1.3, 0.7, 1, 0}, {-0.4, 0.3, 0.6, 0}}},
      {"square", [](Expression a, Expression) { return a * a; }, {{1.3, 0, 1, 0}, {-0.4, 0, 0.3, 0}}},
      {"whole_power",
       [](Expression a, Expression) { return a.apply(Op::pow, {a.constant(3)}); },
       {{1.3, 0, 1, 0}, {-1.3, 0, 1, 0}, {-0.8, 0, -0.5, 0}}},
      {"select",
       [](Expression a, Expression b) { return select(less(a, b), a.apply(Op::exp), b * b); },
       {{1.3, 0.7, 1, 0.5}, {0.7, 1.3, 0.5, -1}}},
      {"composed",
       [](Expression a, Expression b) {
         return (a * b).apply(Op::log) / (a + b * b) + (a / b).apply(Op::sqrt) * (a - b).apply(Op::exp);
       },
       {{1.3, 0.7, 1, 0.5}, {0.7, 1.3, 0.5, -1}, {1, 1, 1, -1}}},
  };
}

class DividedDifference : public testing::TestWithParam<Case> {};

TEST_P(DividedDifference, IsThePlainQuotientAtAWideGap) {
  const Quotient quotient(GetParam().f);
  for (const Point& p : GetParam().points)
    for (double gap : {0.1, -0.08}) {
      const auto m = Quotient::move(p.a, p.b, p.va, p.vb, gap);
      const auto expected = static_cast<double>(quotient.plain(m, gap));
      const double size = quotient.size(m, gap) + 1e-4 * quotient.value(m) / std::fabs(gap);
      EXPECT_NEAR(quotient(m, gap), expected, 1e-14 * size) << p.a << " " << p.b << " gap " << gap;
    }
}

TEST_P(DividedDifference, HasAllDigitsAtANarrowGap) {
  const Quotient quotient(GetParam().f);
  for (const Point& p : GetParam().points)
    for (double gap : {1e-3, 1e-6, -1e-9, 1e-12}) {
      const auto m = Quotient::move(p.a, p.b, p.va, p.vb, gap);
      const auto expected = static_cast<double>(quotient.mean_slope(m, gap));
      const double digits = std::fabs(gap) < 1e-3 ? 1e-14 : 1e-12;  // what three Gauss points allow for steep ones
      EXPECT_NEAR(quotient(m, gap), expected, digits * quotient.size(m, gap)) << p.a << " " << p.b << " gap " << gap;
    }
}

TEST_P(DividedDifference, IsTheDerivativeAtNoGap) {
  const Quotient quotient(GetParam().f);
  for (const Point& p : GetParam().points) {
    const std::vector<long double> x = {p.a, p.b};
    const auto slope = ir::evaluate<long double>(quotient.graph, quotient.slope, x);
    const auto by_a = static_cast<double>(slope[0]) * p.va, by_b = static_cast<double>(slope[1]) * p.vb;
    EXPECT_NEAR(quotient.at_rest(p.a, p.b, p.va, p.vb), by_a + by_b, 1e-14 * (std::fabs(by_a) + std::fabs(by_b)))
        << p.a << " " << p.b;
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, DividedDifference, testing::ValuesIn(cases()),
                         [](const auto& param) { return param.param.name; });

// Operators that act on matrices have adjoints of their own and no quotient.
TEST(DividedDifferenceRules, EveryDifferentiableOperatorHasOne) {
  for (const ir::Operator& row : ir::all_operators())
    EXPECT_TRUE(row.partial == nullptr || !divided_difference_in_words(row.op).empty()) << row.name;
  EXPECT_EQ(divided_difference_in_words(Op::less), "");
}

TEST(DividedDifferenceRules, AreExactAcrossTheKinksOfMinMaxAndAbs) {
  const Quotient absolute([](Expression a, Expression) { return a.apply(Op::abs); });
  const Quotient smallest([](Expression a, Expression b) { return a.apply(Op::min, {b}); });
  const Quotient largest([](Expression a, Expression b) { return (2 * a).apply(Op::max, {1 + b}); });
  for (double gap : {1e-1, 1e-6, 1e-12}) {
    for (double before : {0.25, 0.5, 0.75}) {  // the part of the way before the kink
      const auto at_zero = Quotient::move(-before * gap, 0, 1, 0, gap);
      EXPECT_NEAR(absolute(at_zero, gap), (1 - before) - before, 1e-15);
      const Quotient::Move crossing = {1 - before * gap, 1, 1 + (1 - before) * gap, 1};
      const double step = crossing.a2 - crossing.a, part = (1 - crossing.a) / step;
      EXPECT_NEAR(smallest(crossing, step), part, 1e-15);
      EXPECT_NEAR(largest(crossing, step), 2 * (1 - part), 4e-15);
    }
  }
  EXPECT_EQ(absolute.at_rest(0, 0, 1, 0), 0);
}

TEST(DividedDifferenceRules, PowersAtZeroAndAcrossIt) {
  const auto power = [](double exponent) {
    return Quotient([=](Expression a, Expression) { return a.apply(Op::pow, {a.constant(exponent)}); });
  };
  EXPECT_EQ(power(2).at_rest(0, 0, 1, 0), 0);
  EXPECT_EQ(power(1).at_rest(0, 0, 1, 0), 1);
  EXPECT_EQ(power(2.5).at_rest(0, 0, 1, 0), 0);
  EXPECT_EQ(power(2)({0, 0, 0.25, 0}, 0.25), 0.25);
  EXPECT_EQ(power(3)({-0.5, 0, 0.5, 0}, 1), 0.25);
  EXPECT_NEAR(power(-2)({-0.5, 0, -0.5 - 1e-9, 0}, -1e-9), 16, 1e-6);
  const Quotient by_exponent([](Expression a, Expression b) { return a.apply(Op::pow, {b}); });
  EXPECT_EQ(by_exponent({-2, 2, -2, 3}, 1), -12);  // whole exponents of a negative base
  EXPECT_EQ(by_exponent({0, 2, 0, 3}, 1), 0);
}

TEST(DividedDifferenceRules, TheAngleMayTurnFarAndJump) {
  const Quotient angle([](Expression a, Expression b) { return a.apply(Op::atan2, {b}); });
  EXPECT_NEAR(angle({0.1, 1, 0.1, -1}, 1), std::atan2(0.1, -1) - std::atan2(0.1, 1), 1e-15);
  EXPECT_NEAR(angle({0.1, -1, -0.1, -1}, 1), std::atan2(-0.1, -1) - std::atan2(0.1, -1), 1e-15);
}

// Random formulas of all operators, over points and moves that cross kinks and branches.
TEST(DividedDifferenceRules, ComposeInRandomFormulas) {
  std::mt19937 random(7);
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const auto uniform = [&] { return std::uniform_real_distribution<>(-2, 2)(random); };
  const std::vector<Op> unary = {Op::neg,   Op::sqrt, Op::cbrt, Op::exp, Op::expm1, Op::log,
                                 Op::log1p, Op::sin,  Op::cos,  Op::tan, Op::tanh,  Op::abs};
  const std::vector<Op> binary = {Op::add, Op::sub, Op::mul, Op::div, Op::pow, Op::atan2, Op::min, Op::max, Op::gap};
  int compared = 0;
  for (int formula = 0; formula < 2000; ++formula) {
    const Quotient quotient([&](Expression a, Expression b) {
      std::vector<Expression> values = {a, b, a.constant(uniform()), a * b};
      const auto any = [&] { return values[pick(values.size())]; };
      for (std::size_t k = 0; k < 6; ++k) {
        const std::size_t kind = pick(9);
        if (kind < 4)
          values.push_back(any().apply(unary[pick(unary.size())]));
        else if (kind < 8)
          values.push_back(values[k].apply(binary[pick(binary.size())], {values[k + 1 + pick(3)]}));
        else
          values.push_back(select(less(any(), any()), any(), any()));
      }
      return values.back();
    });
    for (int point = 0; point < 5; ++point) {
      const double gap = 0.25 * uniform();
      const auto m = Quotient::move(uniform(), uniform(), uniform(), uniform(), gap);
      const long double expected = quotient.plain(m, gap);
      if (!quotient.is_inside_domains(m) || quotient.value(m) > 1e3) continue;
      ++compared;
      const long double da = static_cast<long double>(m.a2) - m.a, db = static_cast<long double>(m.b2) - m.b;
      const std::vector<long double> x = {m.a, m.b, m.a2, m.b2, da / gap, db / gap, gap};
      const auto actual = ir::evaluate<long double>(quotient.graph, {&quotient.quotient, 1}, x)[0];
      EXPECT_NEAR(static_cast<double>(actual), static_cast<double>(expected),
                  1e-9 * (1 + std::fabs(static_cast<double>(expected))))
          << "formula " << formula << " at " << m.a << " " << m.b << " to " << m.a2 << " " << m.b2;
    }
  }
  EXPECT_GE(compared, 3000);
}

// What is not taken may be NaN, and what is the same at both ends costs nothing.
TEST(DividedDifferenceRules, BranchesNotTakenHaveNoInfluence) {
  const Quotient guarded([](Expression a, Expression) { return select(less(0, a), a.apply(Op::log), a * a); });
  EXPECT_NEAR(guarded({-1, 0, -2, 0}, -1), -3, 1e-15);
  EXPECT_NEAR(guarded({-1, 0, 1, 0}, 2), (std::log(1) - 1) / 2, 1e-15);
}

TEST(DividedDifferenceRules, FactorsThatChangePlacesMoveNothing) {
  ir::Graph graph;
  const NodeId a = graph.input(0), b = graph.input(1);
  const Expression x{&graph, a}, y{&graph, b};
  const NodeId f = (x * y).node;
  const NodeId forward = graph.constant(1), backward = graph.constant(-1);
  const auto quotient = divided_difference(graph, {&f, 1}, std::array{a, b}, std::array{b, a},
                                           std::array{forward, backward}, (y - x).node);
  EXPECT_TRUE(graph.is_constant(quotient[0], 0));
}

// The interpreter's steps in single precision.
float in_single(const ir::Graph& graph, NodeId output, const std::vector<float>& inputs) {
  std::vector<float> values(graph.size());
  for (std::uint32_t i = 0; i <= output.index; ++i) {
    const ir::Node& node = graph.node({i});
    double x[3] = {};
    for (std::size_t k = 0; k < node.arity; ++k) x[k] = static_cast<double>(values[graph.operands({i})[k].index]);
    values[i] = node.op == Op::constant ? static_cast<float>(graph.constant_value({i}))
                : node.op == Op::input  ? inputs.at(node.payload)
                                        : static_cast<float>(ir::describe(node.op).evaluate(x));
  }
  return values[output.index];
}

// Hencky's principal stress s_i = (2 mu log(sigma_i) + lambda log(J))/sigma_i and the pair (s_1 - s_2)/(sigma_1 -
// sigma_2).
TEST(DividedDifferenceRules, SinglePrecisionKeepsItsDigitsAtNearlyEqualStretches) {
  ir::Graph graph;
  const Expression s1{&graph, graph.input(0)}, s2{&graph, graph.input(1)}, s3{&graph, graph.input(2)};
  const auto log = [](Expression x) { return x.apply(Op::log); };
  const auto stress = [&](Expression s) { return (2 * log(s) + 3 * log(s1 * s2 * s3)) / s; };
  const NodeId first = stress(s1).node, second = stress(s2).node;
  const NodeId forward = graph.constant(1), backward = graph.constant(-1);
  const Expression gap = s2 - s1;
  const NodeId quotient = divided_difference(graph, {&first, 1}, std::array{s1.node, s2.node},
                                             std::array{s2.node, s1.node}, std::array{forward, backward}, gap.node)[0];
  const NodeId plain = ((Expression{&graph, second} - Expression{&graph, first}) / gap).node;
  for (float narrow : {1e-1F, 1e-3F, 1e-6F}) {
    const std::vector<float> x = {1.3F, 1.3F + narrow, 0.8F};
    const std::vector<long double> exact(x.begin(), x.end());
    const auto expected = static_cast<double>(ir::evaluate<long double>(graph, {&quotient, 1}, exact)[0]);
    EXPECT_NEAR(static_cast<double>(in_single(graph, quotient, x)), expected, 3e-7) << narrow;
    if (narrow > 1e-6F) continue;
    EXPECT_GT(std::fabs(static_cast<double>(in_single(graph, plain, x)) - expected), 1e-3 * std::fabs(expected));
  }
}

}  // namespace
}  // namespace proxima::derive
