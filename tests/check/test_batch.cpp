// Compiled kernels run on a batch, beside the interpreter.
#include <gtest/gtest.h>

#include "compiler/check/batch.hpp"
#include "compiler/ir/expression.hpp"

namespace proxima::check {
namespace {

using jit::Precision;

// k x_1 + e for nodal x, element e, uniform k; and e^2.
ir::Kernel small_kernel(double factor) {
  ir::Kernel kernel;
  kernel.name = "small";
  kernel.corners = 2;
  kernel.inputs = {{"x", ir::Access::nodal, 1}, {"e", ir::Access::element, 1}, {"k", ir::Access::uniform, 1}};
  kernel.outputs = {{"a", ir::Access::element, 1}, {"b", ir::Access::element, 1}};
  const auto at = [&](std::uint32_t slot) { return ir::Expression{&kernel.graph, kernel.graph.input(slot)}; };
  kernel.results = {(factor * (at(3) * at(1)) + at(2)).node, (at(2) * at(2)).node};
  return kernel;
}

Batch small_batch(std::size_t elements) {
  Batch batch{.elements = elements, .fields = {{}, {}, {0.5}}};
  for (std::size_t e = 0; e < elements; ++e) {
    batch.fields[0].insert(batch.fields[0].end(), {100.0, 0.1 * static_cast<double>(e)});
    batch.fields[1].push_back(7 + static_cast<double>(e));
  }
  return batch;
}

TEST(Batch, EachElementGetsItsOwnNumbers) {
  jit::Engine engine;
  for (const std::size_t elements : {1, 8, 21}) {  // less than a tile, whole tiles, a padded one
    const Batch batch = small_batch(elements);
    const auto results = run(*engine.compile(small_kernel(1)), batch);
    ASSERT_EQ(results.size(), 2u);
    ASSERT_EQ(results[0].size(), elements);
    for (std::size_t e = 0; e < elements; ++e) {
      EXPECT_NEAR(results[0][e], 0.05 * static_cast<double>(e) + 7 + static_cast<double>(e), 1e-12);
      EXPECT_EQ(results[1][e], (7.0 + static_cast<double>(e)) * (7.0 + static_cast<double>(e)));
    }
    const auto interpreted = interpret(small_kernel(1), batch, Precision::fp64);
    for (std::size_t e = 0; e < elements; ++e) EXPECT_NEAR(results[0][e], interpreted[0][e], 1e-12);
    EXPECT_NE(interpret(small_kernel(2), batch, Precision::fp64)[0].back() + (elements == 1 ? 1 : 0),
              results[0].back());
  }
}

TEST(Batch, InputsAreRoundedToThePrecision) {
  jit::Engine engine;
  const Batch batch = small_batch(4);
  const auto single = run(*engine.compile(small_kernel(1), Precision::fp32), batch);
  const auto interpreted = interpret(small_kernel(1), batch, Precision::fp32);
  for (std::size_t e = 0; e < 4; ++e) EXPECT_NEAR(single[0][e], interpreted[0][e], 1e-6);
  EXPECT_NE(interpreted[0][1], interpret(small_kernel(1), batch, Precision::fp64)[0][1]);
}

TEST(Batch, TimesAreOfOneElement) {
  jit::Engine engine;
  const double time = nanoseconds(*engine.compile(small_kernel(1)), small_batch(256));
  EXPECT_GT(time, 0.01);
  EXPECT_LT(time, 1e4);
}

}  // namespace
}  // namespace proxima::check
