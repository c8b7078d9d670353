#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "compiler/ir/analysis.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/ir/print.hpp"

namespace proxima::ir {
namespace {

TEST(Graph, MakesEqualExpressionsOneNode) {
  Graph graph;
  const Expression x{&graph, graph.input(0)}, y{&graph, graph.input(1)};
  EXPECT_EQ((x * y + 1).node, (1 + y * x).node);
  EXPECT_NE((x - y).node, (y - x).node);
  EXPECT_EQ(graph.input(0), x.node);
  const std::size_t before = graph.size();
  (void)(x * y + 1);
  EXPECT_EQ(graph.size(), before);
}

TEST(Graph, TellsConstantsApartByTheirBits) {
  Graph graph;
  EXPECT_NE(graph.constant(0.0), graph.constant(-0.0));
  EXPECT_NE(graph.constant(1), graph.constant(std::nextafter(1.0, 2.0)));
  EXPECT_NE(graph.constant(1e-15), graph.constant(0));
  EXPECT_EQ(graph.constant(0.1), graph.constant(0.1));

  const Expression x{&graph, graph.input(0)};
  const NodeId tiny = (x * 1e-15).node;
  EXPECT_EQ(evaluate<double>(graph, {&tiny, 1}, std::vector{3.0})[0], 3.0 * 1e-15);
  const NodeId tiniest = (x * 1e-300).node;
  EXPECT_NE(evaluate<double>(graph, {&tiniest, 1}, std::vector{1.0})[0], 0);
}

TEST(Graph, RefusesWrongOperands) {
  Graph graph;
  const Expression x{&graph, graph.input(0)};
  EXPECT_THROW(graph.apply(Op::add, std::array{x.node}), std::logic_error);
  EXPECT_THROW(graph.apply(Op::constant, {}), std::logic_error);
  EXPECT_THROW((void)(less(x, 1) + x), std::logic_error);
  EXPECT_THROW((void)select(x, x, x), std::logic_error);
  EXPECT_THROW(graph.apply(Op::neg, std::array{NodeId{1000}}), std::logic_error);
}

TEST(Graph, KeepsWhereANodeWasFirstWritten) {
  Graph graph;
  const auto file = graph.intern_file("material.cpp");
  const std::array operands{graph.input(0), graph.input(1)};
  const NodeId sum = graph.apply(Op::add, operands, {file, 12});
  graph.apply(Op::add, operands, {file, 99});
  EXPECT_EQ(graph.node(sum).where.line, 12u);
  EXPECT_EQ(graph.files()[graph.node(sum).where.file], "material.cpp");
  EXPECT_EQ(graph.intern_file("material.cpp"), file);
}

TEST(Interpreter, SaysWhichInputIsMissing) {
  Graph graph;
  const NodeId x = graph.input(3);
  EXPECT_THROW(evaluate<double>(graph, {&x, 1}, std::vector{1.0, 2.0}), std::logic_error);
  const NodeId y = graph.input(1);  // input 3 is not needed for this one
  EXPECT_EQ(evaluate<double>(graph, {&y, 1}, std::vector{1.0, 2.0})[0], 2);
}

TEST(Interpreter, DoesNotLetABranchThatIsNotTakenPoisonTheValue) {
  Graph graph;
  const Expression x{&graph, graph.input(0)};
  const NodeId guarded = select(less(0, x), x.apply(Op::log), 0).node;
  EXPECT_EQ(evaluate<double>(graph, {&guarded, 1}, std::vector{-1.0})[0], 0);
  EXPECT_EQ(evaluate<double>(graph, {&guarded, 1}, std::vector{1.0})[0], 0);
}

TEST(Transplant, DropsDeadNodesAndSubstitutesInputs) {
  Graph source;
  const Expression x{&source, source.input(0)}, y{&source, source.input(1)};
  (void)(x.apply(Op::sin) * y);
  const NodeId root = (x * y - 2).node;

  Graph target;
  const Expression a{&target, target.input(5)};
  const std::array inputs{(a + 1).node, a.node};
  const NodeId image = transplant(source, {&root, 1}, target, inputs)[0];
  EXPECT_EQ(image, ((a + 1) * a - 2).node);
  EXPECT_EQ(evaluate<double>(target, {&image, 1}, std::vector{0., 0., 0., 0., 0., 4.0})[0], 18);

  Graph compact;
  transplant(source, {&root, 1}, compact);
  EXPECT_EQ(compact.size(), 5u);
}

TEST(Kernel, CountsOnlyWhatEachElementComputes) {
  Kernel kernel;
  kernel.inputs = {{"E", Access::uniform, 1}, {"F", Access::element, 2}};
  const Expression e{&kernel.graph, kernel.graph.input(0)}, f0{&kernel.graph, kernel.graph.input(1)},
      f1{&kernel.graph, kernel.graph.input(2)};
  kernel.results = {((1 / e) * f0 + f1).node};
  EXPECT_EQ(count_operations(kernel).operations, 2);
  EXPECT_EQ(evaluate<double>(kernel, std::vector{2., 3., 4.})[0], 5.5);
}

TEST(Print, ShowsNodesInOrderWithNames) {
  Graph graph;
  const Expression x{&graph, graph.input(0)};
  const NodeId root = (2 * x + 1).node;
  EXPECT_EQ(to_text(graph, {&root, 1}, [](std::uint32_t) { return std::string("x"); }),
            "%0 = x\n%1 = 2\n%2 = mul %1 %0\n%3 = 1\n%4 = add %3 %2\nreturn %4\n");
}

}  // namespace
}  // namespace proxima::ir
