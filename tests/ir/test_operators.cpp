// Each row of the operator table against the C library and against differences in extended precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "compiler/ir/expression.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::ir {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

struct Sample {
  std::vector<std::vector<double>> points;
  std::function<double(const std::vector<double>&)> expected;
};

using X = const std::vector<double>&;
const std::map<Op, Sample> samples = {
    {Op::add, {{{1, 2}, {-3.5, 1e-3}}, [](X x) { return x[0] + x[1]; }}},
    {Op::sub, {{{1, 2}, {-3.5, 1e-3}}, [](X x) { return x[0] - x[1]; }}},
    {Op::mul, {{{1, 2}, {-3.5, 1e-3}, {0, 0}}, [](X x) { return x[0] * x[1]; }}},
    {Op::div, {{{1, 2}, {-3.5, 1e-3}, {0, -7}}, [](X x) { return x[0] / x[1]; }}},
    {Op::neg, {{{1}, {-2.5}, {0}}, [](X x) { return -x[0]; }}},
    {Op::sqrt, {{{1}, {1e-4}, {1e6}}, [](X x) { return std::sqrt(x[0]); }}},
    {Op::cbrt, {{{1}, {-1e-3}, {27}, {-8}}, [](X x) { return std::cbrt(x[0]); }}},
    {Op::exp, {{{0}, {1.5}, {-20}, {30}}, [](X x) { return std::exp(x[0]); }}},
    {Op::expm1, {{{0}, {1e-9}, {-1e-9}, {-5}, {3}}, [](X x) { return std::expm1(x[0]); }}},
    {Op::log, {{{1}, {1e-3}, {1e6}, {1 + 1e-9}}, [](X x) { return std::log(x[0]); }}},
    {Op::log1p, {{{0}, {1e-9}, {-0.9}, {40}}, [](X x) { return std::log1p(x[0]); }}},
    {Op::pow, {{{2, 3}, {0.5, -1.5}, {1e-2, 0.3}, {7, 0}, {1, 5}}, [](X x) { return std::pow(x[0], x[1]); }}},
    {Op::sin, {{{0}, {1}, {-2}, {100}}, [](X x) { return std::sin(x[0]); }}},
    {Op::cos, {{{0}, {1}, {-2}, {100}}, [](X x) { return std::cos(x[0]); }}},
    {Op::tan, {{{0}, {1}, {-2}, {1.5}}, [](X x) { return std::tan(x[0]); }}},
    {Op::atan2, {{{1, 1}, {-1, 2}, {0.5, -3}, {-1e-3, -1}, {0, 2}}, [](X x) { return std::atan2(x[0], x[1]); }}},
    {Op::tanh, {{{0}, {0.3}, {-2}, {15}}, [](X x) { return std::tanh(x[0]); }}},
    {Op::abs, {{{1}, {-2}}, [](X x) { return std::fabs(x[0]); }}},
    {Op::min, {{{1, 2}, {2, 1}, {-1, -3}}, [](X x) { return std::min(x[0], x[1]); }}},
    {Op::max, {{{1, 2}, {2, 1}, {-1, -3}}, [](X x) { return std::max(x[0], x[1]); }}},
    {Op::less, {{{1, 2}, {2, 1}, {1, 1}}, [](X x) { return x[0] < x[1]; }}},
    {Op::less_equal, {{{1, 2}, {2, 1}, {1, 1}}, [](X x) { return x[0] <= x[1]; }}},
    {Op::equal, {{{1, 2}, {0.0, -0.0}, {1, 1}}, [](X x) { return x[0] == x[1]; }}},
    {Op::logical_and, {{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, [](X x) { return x[0] != 0 && x[1] != 0; }}},
    {Op::logical_or, {{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, [](X x) { return x[0] != 0 || x[1] != 0; }}},
    {Op::logical_not, {{{0}, {1}}, [](X x) { return x[0] == 0; }}},
    {Op::select, {{{1, 5, 7}, {0, 5, 7}}, [](X x) { return x[0] != 0 ? x[1] : x[2]; }}},
};

// A graph with one application of `row` to inputs 0, 1, 2. Truth-valued operands are made from an input by 0 < x.
struct Applied {
  explicit Applied(const Operator& row) {
    for (std::uint32_t k = 0; k < row.arity; ++k) {
      operands.push_back(graph.input(k));
      if (row.operand_types[k] == Type::truth) operands.back() = less(0, Expression{&graph, operands[k]}).node;
    }
    result = graph.apply(row.op, operands);
  }
  Graph graph;
  std::vector<NodeId> operands;
  NodeId result;
};

class Row : public testing::TestWithParam<int> {
 protected:
  const Operator& row = operators()[static_cast<std::size_t>(GetParam())];
};

TEST_P(Row, EvaluatesInBothPrecisions) {
  if (row.form == Form::leaf) return;
  ASSERT_TRUE(samples.contains(row.op)) << "no sample points for operator " << row.name;
  Applied applied(row);
  const Sample& sample = samples.at(row.op);
  for (const auto& x : sample.points) {
    const std::vector<long double> extended(x.begin(), x.end());
    const double value = evaluate<double>(applied.graph, {&applied.result, 1}, x)[0];
    const long double fine = evaluate<long double>(applied.graph, {&applied.result, 1}, extended)[0];
    EXPECT_EQ(value, sample.expected(x));
    EXPECT_NEAR(static_cast<double>(fine), value, 4e-16 * std::fabs(value));
  }
}

TEST_P(Row, DerivativeAgreesWithExtendedDifferences) {
  if (row.partial == nullptr) return;
  Applied applied(row);
  for (int k = 0; k < row.arity; ++k) {
    if (row.operand_types[k] == Type::truth) continue;
    const NodeId partial = row.partial(applied.graph, applied.result, applied.operands.data(), k);
    for (const auto& point : samples.at(row.op).points) {
      std::vector<long double> x(point.begin(), point.end());
      const auto slot = static_cast<std::size_t>(k);
      const long double centre = x[slot], h = 1e-6L * std::clamp(std::fabs(centre), 1e-3L, 1.0L);
      const auto value = evaluate<long double>(applied.graph, {&partial, 1}, x)[0];
      const auto at = [&](long double moved) {
        x[slot] = moved;
        return evaluate<long double>(applied.graph, {&applied.result, 1}, x)[0];
      };
      const long double difference = (at(centre + h) - at(centre - h)) / (2 * h);
      EXPECT_NEAR(static_cast<double>(value), static_cast<double>(difference),
                  1e-9 * std::max(1.0, std::fabs(static_cast<double>(difference))))
          << row.name << " operand " << k << " at " << testing::PrintToString(point);
    }
  }
}

TEST_P(Row, IsDescribedForReaders) {
  EXPECT_FALSE(row.name.empty());
  EXPECT_FALSE(row.domain.empty());
  if (row.form == Form::leaf) return;
  EXPECT_FALSE(row.llvm.empty());
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(row.c.find(std::string{'$', static_cast<char>('0' + k)}) != std::string_view::npos, k < row.arity)
        << row.c;
  EXPECT_EQ(row.partial == nullptr, row.result == Type::truth);
}

INSTANTIATE_TEST_SUITE_P(Operators, Row, testing::Range(0, op_count), [](const auto& each) {
  return std::string(operators()[static_cast<std::size_t>(each.param)].name);
});

double derivative(Op op, std::vector<double> x, int k) {
  Applied applied(describe(op));
  const NodeId partial = describe(op).partial(applied.graph, applied.result, applied.operands.data(), k);
  return evaluate<double>(applied.graph, {&partial, 1}, x)[0];
}

TEST(Operators, KeepTheirConventionsAtSingularPoints) {
  EXPECT_EQ(derivative(Op::abs, {0}, 0), 0);
  EXPECT_EQ(derivative(Op::min, {2, 2}, 0) + derivative(Op::min, {2, 2}, 1), 1);
  EXPECT_EQ(derivative(Op::max, {2, 2}, 0) + derivative(Op::max, {2, 2}, 1), 1);
  EXPECT_EQ(derivative(Op::sqrt, {0}, 0), inf);
  EXPECT_EQ(derivative(Op::cbrt, {0}, 0), inf);
  EXPECT_EQ(derivative(Op::pow, {0, 2.5}, 0), 0);
  EXPECT_EQ(derivative(Op::pow, {0, 2.5}, 1), 0);
  EXPECT_EQ(derivative(Op::tanh, {1e300}, 0), 0);
  EXPECT_EQ(derivative(Op::tanh, {-1e300}, 0), 0);
}

TEST(IntegerPower, IsExactProductsAndNeverALogarithm) {
  Graph graph;
  const NodeId x = graph.input(0);
  for (int n : {-7, -2, -1, 0, 1, 2, 3, 5, 10, 31}) {
    const NodeId power = graph.integer_power(x, n);
    for (double at : {-1.5, 2.0, 0.75}) {
      EXPECT_NEAR(evaluate<double>(graph, {&power, 1}, std::vector{at})[0] / std::pow(at, n), 1, 2e-15) << n;
    }
  }
  const NodeId square = graph.integer_power(x, 2);
  EXPECT_EQ(graph.node(square).op, Op::mul);
  EXPECT_EQ(graph.integer_power(x, 1), x);
  EXPECT_TRUE(graph.is_constant(graph.integer_power(x, 0), 1));
}

}  // namespace
}  // namespace proxima::ir
