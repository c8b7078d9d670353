// The numbers of the passes, on kernels small enough to count by hand.
#include <gtest/gtest.h>

#include <array>

#include "compiler/check/passes.hpp"
#include "compiler/ir/expression.hpp"

namespace proxima::check {
namespace {

using emit::Precision;
using emit::Target;

ir::Kernel one_input() {
  ir::Kernel kernel;
  kernel.name = "small";
  kernel.inputs = {{"x", ir::Access::element, 1}, {"k", ir::Access::uniform, 1}};
  kernel.outputs = {{"y", ir::Access::element, 1}};
  return kernel;
}

TEST(Passes, CountWhatIsDoneOnceAndWhatForEachElement) {
  ir::Kernel kernel = one_input();
  const ir::Expression x{&kernel.graph, kernel.graph.input(0)}, k{&kernel.graph, kernel.graph.input(1)};
  kernel.results = {((x * x + k) * (k * 3.0)).node};
  const Passes passes = passes_of(kernel, Precision::fp64, Target::portable());
  EXPECT_EQ(passes.derived, 4);
  EXPECT_EQ(passes.lowered, 4);
  EXPECT_EQ(passes.once, 1);  // 3 k
  EXPECT_EQ(passes.each, 3);
  EXPECT_EQ(passes.cost, 3);
  EXPECT_EQ(passes.loops, 0);
  EXPECT_EQ(passes.registers, 16);
  EXPECT_FALSE(passes.spills());
  EXPECT_EQ(passes_of(kernel, Precision::fp64, Target::avx512()).registers, 32);
}

TEST(Passes, TellGuardsFromTheAuthorsChoices) {
  ir::Kernel kernel = one_input();
  ir::Graph& g = kernel.graph;
  const auto line = [&](std::uint32_t number) { return ir::SourceLocation{g.intern_file("a.cpp"), number}; };
  const ir::NodeId x = g.input(0), k = g.input(1);
  const ir::NodeId condition = g.apply(ir::Op::less, std::array{x, k}, line(3));
  const ir::NodeId chosen = g.apply(ir::Op::select, std::array{condition, x, k}, line(4));
  const ir::NodeId opposite = g.apply(ir::Op::logical_not, std::array{condition});
  const ir::NodeId guard = g.apply(ir::Op::select, std::array{opposite, chosen, g.constant(0)});
  kernel.results = {g.apply(ir::Op::add, std::array{chosen, guard})};
  const Guards guards = passes_of(kernel, Precision::fp64, Target::portable()).guards;
  EXPECT_EQ(guards.written, 1);
  EXPECT_EQ(guards.added, 1);
  EXPECT_EQ(guards.causes, std::vector<std::string>{"less at a.cpp:3"});
}

TEST(Passes, LoweringMakesArithmeticOfADecomposition) {
  ir::Kernel kernel;
  kernel.name = "first singular value";
  kernel.inputs = {{"A", ir::Access::element, 9}};
  kernel.outputs = {{"s", ir::Access::element, 1}};
  std::vector<ir::NodeId> A;
  for (std::uint32_t i = 0; i < 9; ++i) A.push_back(kernel.graph.input(i));
  kernel.results = {kernel.graph.part(kernel.graph.apply(ir::Op::svd, A), 0)};
  const Passes passes = passes_of(kernel, Precision::fp64, Target::portable());
  EXPECT_LE(passes.derived, 2);
  EXPECT_GE(passes.lowered, 100);
  EXPECT_EQ(passes.guards.written, 0);
}

}  // namespace
}  // namespace proxima::check
