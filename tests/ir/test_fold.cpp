// Folding may change nothing, not a sign of zero, whatever the operands are.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "compiler/ir/analysis.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/ir/interpreter.hpp"

namespace proxima::ir {
namespace {

using Limits = std::numeric_limits<double>;
const std::vector<double> special = {0.0,
                                     -0.0,
                                     1,
                                     -1,
                                     2,
                                     0.5,
                                     -0.25,
                                     3,
                                     1e-15,
                                     Limits::infinity(),
                                     -Limits::infinity(),
                                     Limits::quiet_NaN(),
                                     Limits::denorm_min(),
                                     Limits::min(),
                                     -Limits::max(),
                                     1e308};

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// Random formulas, evaluated once as the graph keeps them and once operator by operator as they were asked for.
TEST(Fold, IsExactOnRandomFormulas) {
  std::mt19937 random(7);
  const auto pick = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  const std::vector<Op> numeric = {Op::add, Op::sub, Op::mul, Op::div,    Op::neg,
                                   Op::abs, Op::min, Op::max, Op::select, Op::neg};
  for (int round = 0; round < 3000; ++round) {
    Graph graph;
    const std::vector<double> inputs = {special[pick(special.size())], special[pick(special.size())]};
    std::vector<NodeId> nodes = {graph.input(0), graph.input(1)};
    std::vector<double> values = inputs;
    for (double c : {special[pick(special.size())], special[pick(special.size())]}) {
      nodes.push_back(graph.constant(c));
      values.push_back(c);
    }
    for (int step = 0; step < 12; ++step) {
      const Operator& row = describe(numeric[pick(numeric.size())]);
      NodeId operands[3];
      double x[3];
      for (int k = 0; k < row.arity; ++k) {
        const std::size_t i = pick(nodes.size());
        operands[k] = nodes[i];
        x[k] = values[i];
      }
      if (row.op == Op::select) {
        const std::size_t i = pick(nodes.size());
        operands[0] = graph.apply(Op::less, std::array{operands[0], nodes[i]});
        x[0] = x[0] < values[i] ? 1 : 0;
        if (pick(2) == 0) {
          operands[0] = graph.apply(Op::logical_not, std::array{operands[0]});
          x[0] = 1 - x[0];
        }
      }
      nodes.push_back(graph.apply(row.op, std::span(operands).first(row.arity)));
      values.push_back(row.evaluate(x));
    }
    const auto folded = evaluate<double>(graph, nodes, inputs);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      ASSERT_TRUE(same(folded[i], values[i]))
          << "round " << round << ", formula " << i << ": " << folded[i] << " for " << values[i];
    }
  }
}

class FoldRules : public testing::Test {
 protected:
  Graph graph;
  Expression x{&graph, graph.input(0)}, y{&graph, graph.input(1)}, z{&graph, graph.input(2)};
};

TEST_F(FoldRules, RemoveWhatHasNoEffect) {
  EXPECT_EQ((x * 1).node, x.node);
  EXPECT_EQ((x / 1).node, x.node);
  EXPECT_EQ((x - 0).node, x.node);
  EXPECT_EQ((x + -0.0).node, x.node);
  EXPECT_EQ((-(-x)).node, x.node);
  EXPECT_EQ((x * -1).node, (-x).node);
  EXPECT_EQ((x + -y).node, (x - y).node);
  EXPECT_EQ((x - -y).node, (x + y).node);
  EXPECT_EQ((-x * -y).node, (x * y).node);
  EXPECT_EQ((x / 4).node, (0.25 * x).node);
  EXPECT_EQ((x + x).node, (2 * x).node);
  EXPECT_EQ(select(less(x, y), z, z).node, z.node);
  EXPECT_TRUE(graph.is_constant((x.constant(0.5) * 6).node, 3));
}

TEST_F(FoldRules, LeaveWhatWouldChangeAResult) {
  EXPECT_NE((x + 0).node, x.node);                                     // -0 + 0 is +0
  EXPECT_FALSE(graph.is_constant((x * 0).node));                       // inf, NaN, -1
  EXPECT_FALSE(graph.is_constant((x - x).node));                       // inf - inf
  EXPECT_FALSE(graph.is_constant((x / x).node));                       // 0/0
  EXPECT_EQ(graph.node((x / 3).node).op, Op::div);                     // 1/3 is not exact
  EXPECT_NE(((x + y) + z).node, (x + (y + z)).node);                   // rounding
  EXPECT_FALSE(graph.is_constant(x.constant(2).apply(Op::log).node));  // libraries differ in the last bit
}

TEST_F(FoldRules, CountOperations) {
  const NodeId root = (x * y + x * y * z).node;
  EXPECT_EQ(count_operations(graph, {&root, 1}).operations, 3);
  EXPECT_EQ(count_operations(graph, {&x.node, 1}).operations, 0);
}

}  // namespace
}  // namespace proxima::ir
