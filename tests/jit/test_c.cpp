// Kernels printed as C, against the interpreter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/derive/derive.hpp"
#include "compiler/derive/local_step.hpp"
#include "compiler/emit/c/print.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/ir/interpreter.hpp"
#include "tests/derive/states.hpp"
#include "tests/emit/composite_kernel.hpp"
#include "tests/emit/matrices.hpp"
#include "tests/jit/c_library.hpp"
#include "tests/jit/energy_batches.hpp"
#include "tests/jit/rounding_spread.hpp"

namespace proxima::jit {
namespace {

using derive::Quantity;
using ::testing::HasSubstr;

// The same operations in the same order: as near as roundings allow.
TEST(C, EveryEnergysKernelsEqualTheInterpreter) {
  int number = 0;
  for (const ir::Energy& energy : test::energies()) {
    const Quantity quantity = number++ % 3 == 0 ? Quantity::hessian_vector : Quantity::forces;
    const ir::Kernel kernel = derive::strain_kernel(energy, quantity);
    const testing::CLibrary library(kernel, Precision::fp64);
    const testing::Batch batch = testing::strain_batch(kernel, energy);
    for (std::size_t e = 0; e < batch.elements; ++e) {
      const auto inputs = testing::inputs_of(kernel, batch, e, Precision::fp64);
      const auto expected = ir::evaluate<double>(kernel, inputs), found = library(inputs);
      const auto spread = testing::rounding_spread(kernel, inputs, Precision::fp64);
      double largest = 0;
      for (const double value : expected) largest = std::max(largest, std::fabs(value));
      for (std::size_t k = 0; k < expected.size(); ++k)
        if (std::isfinite(spread[k])) {
          EXPECT_NEAR(found[k], expected[k], 1e-14 * largest + 16 * spread[k]) << kernel.name;
        }
    }
  }
}

// Loops in loops, decompositions before and after them.
TEST(C, ProximalStepsEqualTheInterpreter) {
  for (const char* name : {"neo_hookean", "von_mises_plasticity", "membrane"}) {
    const ir::Energy energy = test::energy_named(name);
    const ir::Kernel kernel =
        derive::local_step(energy, derive::LocalForm::proximal, std::vector<bool>(energy.parameters.size()));
    const testing::CLibrary library(kernel, Precision::fp64);
    const testing::Batch batch = testing::local_step_batch(kernel, energy);
    for (std::size_t e = 0; e < batch.elements; ++e) {
      const auto inputs = testing::inputs_of(kernel, batch, e, Precision::fp64);
      const auto expected = ir::evaluate<double>(kernel, inputs), found = library(inputs);
      const auto spread = testing::rounding_spread(kernel, inputs, Precision::fp64);
      for (std::size_t k = 0; k < energy.strain_components(); ++k)  // p
        if (std::isfinite(spread[k])) {
          EXPECT_NEAR(found[k], expected[k], 1e-14 + 32 * spread[k]) << name;
        }
    }
  }
}

TEST(C, DecompositionsAreFunctions) {
  const ir::Kernel kernel = emit::testing::composite_kernel(ir::Op::svd);
  for (const Precision precision : {Precision::fp64, Precision::fp32}) {
    const bool fp64 = precision == Precision::fp64;
    const testing::CLibrary library(kernel, precision);
    EXPECT_THAT(library.text(), HasSubstr("svd_3x3("));
    for (const auto& [name, A] : emit::testing::hard_matrices(20, fp64 ? 150 : 18)) {
      const emit::testing::Matrix3 rounded = fp64 ? A : emit::testing::Matrix3(A.cast<float>().cast<double>());
      const std::vector<double> x(rounded.data(), rounded.data() + 9);
      const auto sigma = ir::evaluate<double>(kernel, x);
      EXPECT_LE(emit::testing::svd_error(rounded, library(x), sigma), 12 * (fp64 ? 0x1p-52 : 0x1p-23)) << name;
    }
  }
}

// The author's names, source lines, no parentheses that say nothing, and float where asked for.
TEST(C, IsReadable) {
  ir::Kernel kernel;
  kernel.name = "spring.stress";
  kernel.inputs = {
      {"F", ir::Access::element, 2}, {"parameter:double", ir::Access::uniform, 1}, {"log", ir::Access::nodal, 1}};
  kernel.corners = 1;
  kernel.outputs = {{"stress", ir::Access::element, 2}};
  const auto in = [&](std::uint32_t slot) { return ir::Expression{&kernel.graph, kernel.graph.input(slot)}; };
  const std::uint32_t file = kernel.graph.intern_file("/somewhere/spring.cpp");
  const ir::NodeId squared = kernel.graph.apply(ir::Op::mul, std::array{in(0).node, in(0).node}, {file, 12});
  const ir::Expression square{&kernel.graph, squared};
  kernel.results = {(in(0) - (in(1) - square)).node, (square * (in(2) + in(3)).apply(ir::Op::log)).node};
  const std::string text = emit::kernel_as_c(kernel, Precision::fp64);
  EXPECT_THAT(text, HasSubstr("void spring_stress(const double *F, double double_, double log_, double *stress) {"));
  EXPECT_THAT(text, HasSubstr("const double t1 = F[0] * F[0];  // spring.cpp:12\n"));
  EXPECT_THAT(text, HasSubstr("= F[0] - (F[1] - t1);"));
  EXPECT_THAT(text, HasSubstr("t1 * log(double_ + log_)"));
  EXPECT_THAT(emit::kernel_as_c(kernel, Precision::fp32), HasSubstr("t1 * logf(double_ + log_)"));
  testing::CLibrary(kernel, Precision::fp32);
}

TEST(C, LoopsAreLoops) {
  const ir::Kernel kernel = emit::testing::exchange_kernel();
  const testing::CLibrary library(kernel, Precision::fp64);
  EXPECT_THAT(library.text(), HasSubstr("for (int trip1 = 0; trip1 < 25; ++trip1) {"));
  const testing::Batch batch = testing::random_batch(kernel, 50, 1, 0.1, 2);
  for (std::size_t e = 0; e < batch.elements; ++e) {
    const auto inputs = testing::inputs_of(kernel, batch, e, Precision::fp64);
    EXPECT_EQ(library(inputs), ir::evaluate<double>(kernel, inputs)) << library.text();
  }
}

}  // namespace
}  // namespace proxima::jit
