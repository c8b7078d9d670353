// Machine code against the interpreter: each operator, each kind of access, each target and precision.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/ir/expression.hpp"
#include "compiler/ir/interpreter.hpp"
#include "tests/emit/large_kernel.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit {
namespace {

using ir::Access;
using ir::Expression;
using ir::Op;
using testing::Batch;

struct Interval {
  double low, high;
};

// Where an operator is finite and has no kink that a rounding could cross.
Interval domain(Op op) {
  switch (op) {
    case Op::sqrt:
    case Op::log:
    case Op::div:
    case Op::pow:
      return {0.1, 5};
    case Op::log1p:
      return {-0.9, 5};
    case Op::tan:
      return {-1.4, 1.4};
    default:
      return {-3, 3};
  }
}

// One application of the operator to an element field of its operands; truth values are made by 0 < x and stored as
// select(truth, 1, 0).
ir::Kernel one_operator(const ir::Operator& row) {
  ir::Kernel kernel;
  kernel.name = row.name;
  kernel.inputs = {{"x", Access::element, row.arity}};
  kernel.outputs = {{"y", Access::element, 1}};
  std::vector<ir::NodeId> operands;
  for (std::uint32_t k = 0; k < row.arity; ++k) {
    const Expression x{&kernel.graph, kernel.graph.input(k)};
    operands.push_back(row.operand_types[k] == ir::Type::truth ? less(0, x).node : x.node);
  }
  Expression y{&kernel.graph, kernel.graph.apply(row.op, operands)};
  if (row.result == ir::Type::truth) y = select(y, 1, 0);
  kernel.results = {y.node};
  return kernel;
}

TEST(Kernels, EveryOperatorEqualsTheInterpreter) {
  for (const Target& target : testing::targets_here()) {
    const testing::TemporaryFolder folder;
    Engine engine(folder.path(), target);
    for (const ir::Operator& row : ir::operators()) {
      if (row.form == ir::Form::leaf) continue;
      const ir::Kernel kernel = one_operator(row);
      const auto [low, high] = domain(row.op);
      const Batch batch = testing::random_batch(kernel, 203, 1, low, high);
      for (const Precision precision : {Precision::fp64, Precision::fp32})
        testing::expect_equals_interpreter(kernel, *engine.compile(kernel, precision), batch, target.cpu);
    }
  }
}

TEST(Kernels, SpecialValuesAreThoseOfTheInterpreter) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values = {0.0, -0.0, 1, -1, inf, -inf, nan};
  for (const Target& target : testing::targets_here()) {
    const testing::TemporaryFolder folder;
    Engine engine(folder.path(), target);
    for (const ir::Operator& row : ir::operators()) {
      if (row.form == ir::Form::leaf) continue;
      const ir::Kernel kernel = one_operator(row);
      Batch batch;
      batch.fields.emplace_back();
      const std::size_t arity = kernel.inputs[0].components;
      std::size_t combinations = 1;
      for (std::size_t k = 0; k < arity; ++k) combinations *= values.size();
      for (std::size_t e = 0; e < combinations; ++e)
        for (std::size_t k = 0, rest = e; k < arity; ++k, rest /= values.size())
          batch.fields[0].push_back(values[rest % values.size()]);
      batch.elements = combinations;
      for (const Precision precision : {Precision::fp64, Precision::fp32}) {
        const double unit = precision == Precision::fp64 ? 0x1p-52 : 0x1p-23;
        const auto found = testing::run(*engine.compile(kernel, precision), batch)[0];
        for (std::size_t e = 0; e < combinations; ++e) {
          const auto x = testing::inputs_of(kernel, batch, e, precision);
          const double right = ir::evaluate<double>(kernel, x)[0];
          const bool same = std::isnan(right) ? std::isnan(found[e]) : found[e] == right;
          const bool near = std::isfinite(right) && std::fabs(found[e] - right) <= 2 * unit * std::fabs(right);
          EXPECT_TRUE(same || near) << target.cpu << ", " << row.name << " of " << ::testing::PrintToString(x) << " is "
                                    << found[e] << ", not " << right;
        }
      }
    }
  }
}

// All three kinds of access, an output for each, and results that are inputs, constants and uniform.
ir::Kernel all_accesses() {
  ir::Kernel kernel;
  kernel.name = "accesses";
  kernel.corners = 4;
  kernel.inputs = {
      {"x", Access::nodal, 3}, {"u", Access::uniform, 2}, {"e", Access::element, 3}, {"s", Access::nodal, 1}};
  const auto in = [&](std::uint32_t slot) { return Expression{&kernel.graph, kernel.graph.input(slot)}; };
  const Expression u0 = in(12), u1 = in(13);
  Expression sum = u0 * u1;
  for (std::uint32_t corner = 0; corner < 4; ++corner)
    for (std::uint32_t axis = 0; axis < 3; ++axis) sum = sum + in(3 * corner + axis) * in(14 + axis) * in(17 + corner);
  kernel.outputs = {{"sum", Access::element, 1}, {"copies", Access::element, 4}};
  kernel.results = {sum.node, in(7).node, in(15).node, (u0 + u1 * u1).node, kernel.graph.constant(0.1)};
  return kernel;
}

TEST(Kernels, EveryAccessReachesItsData) {
  const ir::Kernel kernel = all_accesses();
  for (const Target& target : testing::targets_here()) {
    const testing::TemporaryFolder folder;
    Engine engine(folder.path(), target);
    for (const std::size_t elements : {1, 7, 8, 9, 100})
      for (const Precision precision : {Precision::fp64, Precision::fp32})
        testing::expect_equals_interpreter(kernel, *engine.compile(kernel, precision),
                                           testing::random_batch(kernel, elements, 50, -1, 1), target.cpu);
  }
}

// Long enough to be split into several functions, in the part computed once a launch too.
TEST(Kernels, AHugeKernelEqualsTheInterpreter) {
  const ir::Kernel kernel = emit::testing::large_kernel(6000);
  for (const Target& target : testing::targets_here()) {
    const testing::TemporaryFolder folder;
    Engine engine(folder.path(), target);
    for (const Precision precision : {Precision::fp64, Precision::fp32})
      testing::expect_equals_interpreter(kernel, *engine.compile(kernel, precision),
                                         testing::random_batch(kernel, 17, 20, -1, 1), target.cpu);
  }
}

TEST(Kernels, SplittingTheTilesChangesNoBit) {
  const ir::Kernel kernel = all_accesses();
  const testing::TemporaryFolder folder;
  Engine engine(folder.path());
  const Batch batch = testing::random_batch(kernel, 100, 50, -1, 1);
  const auto compiled = engine.compile(kernel);
  const auto whole = testing::run(*compiled, batch);
  for (const std::size_t split : {1, 3, 12}) EXPECT_EQ(testing::run(*compiled, batch, split), whole);
}

}  // namespace
}  // namespace proxima::jit
