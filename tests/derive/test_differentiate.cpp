#include <gtest/gtest.h>

#include <cmath>

#include "compiler/derive/derive.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/ir/interpreter.hpp"

namespace proxima::derive {
namespace {

using ir::Expression;
using ir::NodeId;
using ir::Op;

class Differentiate : public testing::Test {
 protected:
  double at(NodeId node, const std::vector<double>& point) { return ir::evaluate<double>(graph, {&node, 1}, point)[0]; }
  NodeId gradient_of(Expression f, Expression by) { return gradient(graph, f.node, {&by.node, 1})[0]; }
  NodeId tangent_of(NodeId f, Expression along) {
    const NodeId one = graph.constant(1);
    return directional(graph, {&f, 1}, {&along.node, 1}, {&one, 1})[0];
  }
  ir::Graph graph;
  Expression x{&graph, graph.input(0)}, y{&graph, graph.input(1)};
};

TEST_F(Differentiate, ForwardAndReverseAgree) {
  const Expression f = (x * x * y).apply(Op::sin) / (1 + y * y) + x.apply(Op::exp) * y;
  const std::vector<double> point = {0.7, -1.3};
  for (Expression by : {x, y}) EXPECT_NEAR(at(gradient_of(f, by), point), at(tangent_of(f.node, by), point), 1e-15);
}

TEST_F(Differentiate, WhatDoesNotDependIsTheConstantZero) {
  EXPECT_TRUE(graph.is_constant(gradient_of(x * x, y), 0));
  EXPECT_TRUE(graph.is_constant(tangent_of((x * x).node, y), 0));
  EXPECT_TRUE(graph.is_constant(gradient_of(x.constant(3), x), 0));
  EXPECT_TRUE(graph.is_constant(gradient_of(x, x), 1));
}

TEST_F(Differentiate, ZeroSeedsCostNothing) {
  const std::array outputs{(x * y).node};
  const std::array inputs{x.node, y.node};
  const std::array seeds{graph.constant(1), graph.constant(0)};
  EXPECT_EQ(directional(graph, outputs, inputs, seeds)[0], y.node);
}

TEST_F(Differentiate, SquaresStayFreeOfLogarithmsAtZero) {
  const Expression square{&graph, graph.integer_power(x.node, 2)};
  const NodeId first = gradient_of(square, x), second = tangent_of(first, x);
  EXPECT_EQ(at(first, {0, 0}), 0);
  EXPECT_EQ(at(second, {0, 0}), 2);
  EXPECT_EQ(at(first, {-3, 0}), -6);
}

TEST_F(Differentiate, HyperbolicTangentIsStableFarOut) {
  const NodeId first = gradient_of(x.apply(Op::tanh), x);
  EXPECT_EQ(at(first, {1e4, 0}), 0);
  EXPECT_EQ(at(tangent_of(first, x), {-1e4, 0}), 0);
  EXPECT_NEAR(at(first, {0.5, 0}), 1 / (std::cosh(0.5) * std::cosh(0.5)), 1e-15);
}

TEST_F(Differentiate, PowersHaveDerivativesByBaseAndExponent) {
  const Expression power = x.apply(Op::pow, {y});
  EXPECT_NEAR(at(gradient_of(power, x), {2, 2.5}), 2.5 * std::pow(2, 1.5), 1e-14);
  EXPECT_NEAR(at(gradient_of(power, y), {2, 2.5}), std::log(2) * std::pow(2, 2.5), 1e-14);
  EXPECT_EQ(at(gradient_of(power, y), {0, 2.5}), 0);
  EXPECT_EQ(at(gradient_of(power, x), {0, 2.5}), 0);
  // The rule at 0 must not touch the exponent's derivative elsewhere.
  EXPECT_NEAR(at(tangent_of(gradient_of(power, y), y), {2, 2.5}), std::log(2) * std::log(2) * std::pow(2, 2.5), 1e-13);
}

TEST_F(Differentiate, AProductOfManyFactorsCostsAFewOperationsEach) {
  Expression product = x;
  std::vector<NodeId> inputs = {x.node};
  for (std::uint32_t k = 1; k < 20; ++k) {
    inputs.push_back(graph.input(k));
    product = product * Expression{&graph, inputs.back()};
  }
  const auto all = gradient(graph, product.node, inputs);
  EXPECT_LE(ir::count_operations(graph, all).operations, 3 * 20);
}

}  // namespace
}  // namespace proxima::derive
