// The operator that first gave something not finite is found, with its operands and its line.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "compiler/ir/expression.hpp"
#include "compiler/ir/trace_value.hpp"

namespace proxima::ir {
namespace {

struct Formula {
  Graph graph;
  SourceLocation line(std::uint32_t number) { return {graph.intern_file("rubber.cpp"), number}; }
  NodeId apply(Op op, std::initializer_list<NodeId> operands, std::uint32_t number) {
    return graph.apply(op, {operands.begin(), operands.size()}, line(number));
  }
  std::optional<NonFinite> trace(NodeId output, std::initializer_list<double> inputs) const {
    return trace_nonfinite(graph, {&output, 1}, {inputs.begin(), inputs.size()});
  }
};

TEST(TraceNonfinite, NamesTheOperatorItsOperandAndItsLine) {
  Formula f;
  const NodeId J = f.apply(Op::mul, {f.graph.input(0), f.graph.input(1)}, 12);
  const NodeId log_J = f.apply(Op::log, {J}, 14);
  const NodeId psi = f.apply(Op::mul, {log_J, f.graph.input(2)}, 15);
  EXPECT_FALSE(f.trace(psi, {0.5, 0.62, 3}));
  const auto found = f.trace(psi, {-0.5, 0.62, 3});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->node, log_J);
  EXPECT_EQ(found->operands, std::vector{-0.31});
  EXPECT_TRUE(std::isnan(found->value));
  EXPECT_EQ(found->text, "log of -0.31 at rubber.cpp:14");
}

TEST(TraceNonfinite, TheFirstOfSeveralIsNamed) {
  Formula f;
  const NodeId root = f.apply(Op::sqrt, {f.graph.input(0)}, 3);
  const NodeId quotient = f.apply(Op::div, {f.graph.input(1), f.graph.input(2)}, 4);
  const NodeId sum = f.apply(Op::add, {quotient, root}, 5);
  EXPECT_EQ(f.trace(sum, {-1, 1, 0})->text, "sqrt of -1 at rubber.cpp:3");
  EXPECT_EQ(f.trace(sum, {1, 1, 0})->text, "1 divided by 0 at rubber.cpp:4");
  EXPECT_EQ(f.trace(sum, {1, 1e300, 1e-300})->text, "1e+300 divided by 1e-300 at rubber.cpp:4");
}

TEST(TraceNonfinite, ABranchThatIsNotTakenIsNotBlamed) {
  Formula f;
  const NodeId x = f.graph.input(0);
  const NodeId positive = f.apply(Op::less, {f.graph.constant(0), x}, 6);
  const NodeId barrier = f.apply(Op::log, {x}, 7);
  const NodeId root = f.apply(Op::sqrt, {f.graph.input(1)}, 8);
  const NodeId chosen = f.apply(Op::select, {positive, barrier, root}, 9);
  EXPECT_FALSE(f.trace(chosen, {-1, 4}));
  EXPECT_EQ(f.trace(chosen, {-1, -4})->text, "sqrt of -4 at rubber.cpp:8");
}

TEST(TraceNonfinite, AnInputMayBeTheCause) {
  Formula f;
  const NodeId psi = f.apply(Op::exp, {f.graph.input(0)}, 2);
  const auto found = f.trace(psi, {NAN});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text, "input 0, which is nan");
  EXPECT_EQ(f.trace(psi, {1000})->text, "exp of 1000 at rubber.cpp:2");
}

// A bundle made of finite numbers is not to blame for what another operand brings in.
TEST(TraceNonfinite, TheWayGoesThroughBundles) {
  Formula f;
  std::vector<NodeId> A;
  for (std::uint32_t k = 0; k < 9; ++k) A.push_back(f.graph.input(k));
  const NodeId svd = f.graph.apply(Op::svd, A, f.line(30));
  std::vector<NodeId> operands{svd};
  for (std::uint32_t k = 0; k < 3; ++k) operands.push_back(f.apply(Op::log, {f.graph.part(svd, k)}, 31));
  for (int k = 0; k < 6; ++k) operands.push_back(f.graph.constant(0.5));
  const NodeId composed = f.graph.apply(Op::svd_compose, operands, f.line(32));
  const NodeId entry = f.graph.part(composed, 0);
  EXPECT_FALSE(f.trace(entry, {2, 0, 0, 0, 1, 0, 0, 0, 0.5}));
  EXPECT_EQ(f.trace(entry, {2, 0, 0, 0, 1, 0, 0, 0, -0.5})->text, "log of -0.5 at rubber.cpp:31");
  const auto found = f.trace(entry, {1e308, 1e308, 1e308, 0, 1, 0, 0, 0, 1});  // its squared norm overflows
  ASSERT_TRUE(found);
  EXPECT_EQ(found->line, 30u) << found->text;
}

// What differentiation made has no line of its own: that of the formula it was made from is named.
TEST(TraceNonfinite, ADerivativeIsBlamedOnItsFormula) {
  Formula f;
  const NodeId root = f.apply(Op::sqrt, {f.graph.input(0)}, 21);
  const NodeId slope = f.graph.apply(Op::div, std::array{f.graph.constant(0.5), root});
  const auto found = f.trace(slope, {0});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->derived);
  EXPECT_EQ(found->text, "0.5 divided by 0 in a derivative of rubber.cpp:21");
}

}  // namespace
}  // namespace proxima::ir
