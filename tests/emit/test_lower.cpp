// The formulas that stand for composite operators, evaluated by the interpreter in double: that they decompose what
// they are given. In single precision, and as machine code, they are tested in tests/jit.
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "compiler/emit/lower.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/ir/interpreter.hpp"
#include "tests/emit/composite_kernel.hpp"
#include "tests/emit/matrices.hpp"

namespace proxima::emit {
namespace {

using ir::Expression;
using ir::Op;
using testing::Matrix3;

constexpr double tolerance = 12 * 0x1p-52;

std::vector<double> flat(const Matrix3& A) { return {A.data(), A.data() + 9}; }
std::vector<double> upper(const Matrix3& S) { return {S(0, 0), S(0, 1), S(0, 2), S(1, 1), S(1, 2), S(2, 2)}; }

class Lowered {
 public:
  explicit Lowered(Op op) : Lowered(lower(testing::composite_kernel(op), Precision::fp64)) {}
  explicit Lowered(const ir::Kernel& kernel) : interpreter_(kernel.graph, kernel.results) {}
  std::vector<double> operator()(const std::vector<double>& x) {
    const auto result = interpreter_(x);
    return {result.begin(), result.end()};
  }

 private:
  ir::Interpreter<double> interpreter_;
};

TEST(Lower, DecompositionsAreExactToAFewRoundings) {
  Lowered svd(Op::svd), polar(Op::polar), eigen(Op::eigen);
  const ir::Kernel svd_oracle = testing::composite_kernel(Op::svd), eigen_oracle = testing::composite_kernel(Op::eigen);
  for (const auto& [name, A] : testing::hard_matrices(200, 150)) {
    SCOPED_TRACE(::testing::Message() << name << "\n" << A);
    const auto sigma = ir::evaluate<double>(svd_oracle, flat(A));
    EXPECT_LE(testing::svd_error(A, svd(flat(A)), sigma), tolerance);
    EXPECT_LE(testing::polar_error(A, polar(flat(A)), sigma), tolerance);
    const Matrix3 unit = A / testing::scale_of(A);
    for (const Matrix3& S : {Matrix3(A + A.transpose()), Matrix3(unit.transpose() * unit)}) {
      const auto values = ir::evaluate<double>(eigen_oracle, upper(S));
      EXPECT_LE(testing::eigen_error(S, eigen(upper(S)), values), tolerance);
    }
  }
}

TEST(Lower, TheIdentityIsDecomposedExactly) {
  const auto svd = Lowered(Op::svd)(flat(Matrix3::Identity()));
  for (int k = 0; k < 3; ++k) EXPECT_EQ(svd[static_cast<std::size_t>(k)], 1);
  EXPECT_EQ(Lowered(Op::polar)(flat(Matrix3::Identity())), flat(Matrix3::Identity()));
}

TEST(Lower, EntriesThatAreNotFiniteGiveNaN) {
  for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    for (std::size_t k = 0; k < 9; ++k) {
      std::vector<double> x(9, 1);
      x[k] = bad;
      for (const Op op : {Op::svd, Op::polar})
        for (const double part : Lowered(op)(x)) EXPECT_TRUE(std::isnan(part)) << bad << " at " << k;
      if (k >= 6) continue;
      x.resize(6);
      for (const double part : Lowered(Op::eigen)(x)) EXPECT_TRUE(std::isnan(part)) << bad << " at " << k;
    }
}

// U diag(.) V^T of other numbers than the singular values: an odd function of them makes it unique although U and V are
// not.
TEST(Lower, CompositionsEqualTheInterpreters) {
  for (const auto& [composed, op] : {std::pair{Op::svd_compose, Op::svd}, {Op::eigen_compose, Op::eigen}}) {
    const std::uint32_t size = ir::describe(op).arity;
    ir::Kernel kernel = testing::composite_kernel(op);
    std::vector<ir::NodeId> operands = {kernel.graph.operands(kernel.results[0])[0]};
    for (std::uint32_t k = 1; k < ir::describe(composed).arity; ++k)
      operands.push_back(kernel.graph.input(size + k - 1));
    const ir::NodeId bundle = kernel.graph.apply(composed, operands);
    kernel.inputs.push_back({"s", ir::Access::element, static_cast<std::uint32_t>(operands.size() - 1)});
    kernel.outputs = {{"composed", ir::Access::element, ir::describe(composed).parts}};
    kernel.results.clear();
    for (std::uint32_t k = 0; k < ir::describe(composed).parts; ++k)
      kernel.results.push_back(kernel.graph.part(bundle, k));
    Lowered lowered(lower(kernel, Precision::fp64));
    for (const auto& [name, A] : testing::hard_matrices(20, 0)) {
      SCOPED_TRACE(name);
      std::vector<double> x = op == Op::svd ? flat(A) : upper(A + A.transpose());
      const auto s = ir::evaluate<double>(testing::composite_kernel(op), x);
      for (std::size_t k = 0; k < 3; ++k) x.push_back(s[k] * s[k] * s[k]);
      x.resize(size + operands.size() - 1);
      const auto expected = ir::evaluate<double>(kernel, x), found = lowered(x);
      double largest = 0;
      for (const double entry : expected) largest = std::max(largest, std::fabs(entry));
      for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(found[k], expected[k], 100 * tolerance * largest);
    }
  }
}

TEST(Lower, WhatIsSimpleStaysAsItIs) {
  ir::Kernel kernel;
  kernel.inputs = {{"x", ir::Access::element, 2}};
  kernel.outputs = {{"y", ir::Access::element, 2}};
  const Expression x{&kernel.graph, kernel.graph.input(0)}, p{&kernel.graph, kernel.graph.input(1)};
  kernel.results = {(x * p).node, x.apply(Op::gap, {p}).node};
  const ir::Kernel lowered = lower(kernel, Precision::fp32);
  EXPECT_EQ(lowered.results.size(), 2u);
  EXPECT_EQ(ir::evaluate<double>(lowered, std::array{3.0, 0.5})[0], 1.5);
  EXPECT_EQ(ir::evaluate<double>(lowered, std::array{3.0, 0.5})[1], 3.125);
  for (std::uint32_t i = 0; i < lowered.graph.size(); ++i)
    EXPECT_NE(ir::describe(lowered.graph.node({i}).op).form, ir::Form::composite);
}

TEST(Lower, ReachesIntoLoops) {
  // x becomes |x - 1|^2 / 2 three times.
  const auto body = std::make_shared<ir::Graph>();
  const Expression x{body.get(), body->input(0)}, trips{body.get(), body->input(1)};
  const ir::Loop loop{.body = body,
                      .next = {x.apply(Op::gap, {x.constant(1)}).node, (trips + 1.0).node},
                      .again = less(trips, 3.0).node,
                      .max_trips = 9};
  ir::Kernel kernel;
  kernel.inputs = {{"x", ir::Access::element, 1}};
  kernel.outputs = {{"y", ir::Access::element, 1}};
  const ir::NodeId bundle = kernel.graph.loop(loop, std::array{kernel.graph.input(0), kernel.graph.constant(0)});
  kernel.results = {kernel.graph.part(bundle, 0)};
  const ir::Kernel lowered = lower(kernel, Precision::fp64);
  double expected = 5;
  for (int k = 0; k < 3; ++k) expected = 0.5 * (expected - 1) * (expected - 1);
  EXPECT_EQ(ir::evaluate<double>(lowered, std::array{5.0})[0], expected);
  const ir::Graph& inside = *lowered.graph.loop_of(lowered.graph.operands(lowered.results[0])[0]).body;
  for (std::uint32_t i = 0; i < inside.size(); ++i) EXPECT_NE(inside.node({i}).op, Op::gap);
}

}  // namespace
}  // namespace proxima::emit
