// Kernels printed as CUDA, run on the host, against the interpreter: every kernel of every energy in both precisions,
// with indexing, the guard of the last block and node gathers. Nothing here needs a GPU, and nothing here ran on one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>

#include "compiler/check/kernel_list.hpp"
#include "compiler/derive/derive.hpp"
#include "compiler/emit/cuda/print.hpp"
#include "compiler/emit/cuda/prologue.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/ir/interpreter.hpp"
#include "tests/derive/states.hpp"
#include "tests/emit/composite_kernel.hpp"
#include "tests/emit/matrices.hpp"
#include "tests/jit/cuda_on_host.hpp"
#include "tests/jit/energy_batches.hpp"

namespace proxima::jit {
namespace {

using derive::Quantity;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr Quantity quantities[] = {Quantity::energy,
                                   Quantity::forces,
                                   Quantity::energy_forces,
                                   Quantity::hessian_vector,
                                   Quantity::hessian_vector_clamped,
                                   Quantity::hessian_vector_absolute,
                                   Quantity::hessian,
                                   Quantity::pull_back,
                                   Quantity::rest_pull_back,
                                   Quantity::carried_pull_back,
                                   Quantity::state,
                                   Quantity::history_update,
                                   Quantity::history_pull_back};

class Cuda : public ::testing::TestWithParam<Precision> {
 protected:
  // Blocks are small, so that there are several and the last is not full.
  void check(const ir::Kernel& kernel, const testing::Batch& batch, unsigned threads = 6,
             const emit::CudaStyle& style = {}) {
    if (kernel.outputs.empty()) return;
    const testing::CudaOnHost cuda(loader_, kernel, GetParam(), style);
    testing::expect_equals_interpreter(kernel, GetParam(), cuda.run(batch, threads), batch, "as CUDA");
  }
  Loader loader_;
};

// In single precision not on hexahedra, which take most of the time.
TEST_P(Cuda, ElementKernelsEqualTheInterpreter) {
  for (const ir::Energy& energy : test::energies())
    for (const Quantity quantity : quantities)
      for (const derive::Shape shape : testing::shapes_of(energy)) {
        if (shape.corners == 8 && GetParam() == Precision::fp32) continue;
        std::vector<bool> per_element(energy.parameters.size());
        for (std::size_t k = 0; k < per_element.size(); ++k) per_element[k] = k % 2 == 1;
        const ir::Kernel kernel = derive::element_kernel(energy, quantity, shape, per_element);
        check(kernel, testing::element_batch(kernel, energy, shape));
      }
}

TEST_P(Cuda, StrainKernelsEqualTheInterpreter) {
  for (const ir::Energy& energy : test::energies())
    for (const Quantity quantity : {Quantity::energy, Quantity::forces, Quantity::hessian_vector}) {
      const ir::Kernel kernel = derive::strain_kernel(energy, quantity);
      check(kernel, testing::strain_batch(kernel, energy));
    }
}

// The forms of local step that exist, and their adjoints, at all but the values that roundings decide.
TEST_P(Cuda, LocalStepsEqualTheInterpreter) {
  for (const ir::Energy& energy : test::energies()) {
    const std::vector<bool> per_element(energy.parameters.size());
    for (const check::LocalForm& form : check::local_forms(energy)) {
      const ir::Kernel step = testing::without_reports(derive::local_step(energy, form.form, per_element));
      const testing::Batch batch = testing::local_step_batch(step, energy);
      check(step, batch);
      const ir::Kernel adjoint = derive::local_step_adjoint(energy, form.form, per_element);
      check(adjoint, testing::local_step_adjoint_batch(adjoint, energy, testing::points_of_step(step, batch)));
    }
  }
}

// The styles of kernels that would spill, with long formulas and short ones.
TEST_P(Cuda, EveryStyleGivesTheSameNumbers) {
  for (const ir::Energy& energy : test::energies()) {
    const derive::Shape shape = testing::shapes_of(energy).front();
    const std::vector<bool> per_element(energy.parameters.size());
    for (const Quantity quantity :
         {Quantity::hessian_vector, Quantity::hessian_vector_clamped, Quantity::rest_pull_back}) {
      const ir::Kernel kernel = derive::element_kernel(energy, quantity, shape, per_element);
      const testing::Batch batch = testing::element_batch(kernel, energy, shape);
      for (const emit::CudaStyle& style : emit::cuda_styles)
        if (style.made_again) check(kernel, batch, 6, style);
    }
  }
}

// Elements that share nodes, in blocks of the size of a launch: none missing, none twice, none beyond the last.
TEST_P(Cuda, FullBlocksAndEveryRestAreRight) {
  const ir::Kernel kernel = derive::element_kernel(test::energy_named("st_venant_kirchhoff"), Quantity::hessian_vector,
                                                   {4, 3}, {false, true});
  for (const std::size_t elements : {1, 31, 127, 128, 129, 300}) {
    const testing::Batch batch = testing::random_batch(kernel, elements, 40, 0.1, 0.4);
    check(kernel, batch, emit::cuda_block);
  }
}

TEST_P(Cuda, DecompositionsAreRightForHardMatrices) {
  const ir::Kernel kernel = emit::testing::composite_kernel(ir::Op::svd);
  const bool fp64 = GetParam() == Precision::fp64;
  const testing::CudaOnHost cuda(loader_, kernel, GetParam());
  for (const auto& [name, A] : emit::testing::hard_matrices(20, fp64 ? 150 : 18)) {
    const emit::testing::Matrix3 rounded = fp64 ? A : emit::testing::Matrix3(A.cast<float>().cast<double>());
    const std::vector<double> x(rounded.data(), rounded.data() + 9);
    const testing::Batch batch{.elements = 1, .nodes = {}, .fields = {x}};
    std::vector<double> parts;
    for (const auto& field : cuda.run(batch, 1)) parts.insert(parts.end(), field.begin(), field.end());
    const auto sigma = ir::evaluate<double>(kernel, x);
    EXPECT_LE(emit::testing::svd_error(rounded, parts, sigma), 12 * (fp64 ? 0x1p-52 : 0x1p-23)) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, Cuda, ::testing::Values(Precision::fp64, Precision::fp32),
                         [](const auto& which) { return which.param == Precision::fp64 ? "fp64" : "fp32"; });

TEST(CudaText, IsReadableAndSelfContained) {
  ir::Kernel kernel;
  kernel.name = "spring.stress";
  kernel.corners = 2;
  kernel.inputs = {{"stride", ir::Access::element, 2},
                   {"parameter:class", ir::Access::uniform, 1},
                   {"x", ir::Access::nodal, 3},
                   {"direction:x", ir::Access::uniform, 3}};
  kernel.outputs = {{"stress", ir::Access::element, 2}};
  const auto in = [&](std::uint32_t slot) { return ir::Expression{&kernel.graph, kernel.graph.input(slot)}; };
  const std::uint32_t file = kernel.graph.intern_file("/somewhere/spring.cpp");
  const ir::NodeId product = kernel.graph.apply(ir::Op::mul, std::array{in(1).node, in(2).node}, {file, 12});
  const ir::Expression square{&kernel.graph, product};
  const ir::Expression guarded = select(less(in(8), INFINITY), square, in(10));
  kernel.results = {(guarded + square.apply(ir::Op::log)).node, in(0).node};
  const std::string text = emit::kernel_as_cuda(kernel, Precision::fp64);
  EXPECT_THAT(text, AllOf(Not(HasSubstr("#include")), HasSubstr("#define INFINITY"),
                          HasSubstr("extern \"C\" __global__ void __launch_bounds__(128) spring_stress("),
                          HasSubstr("(const double *__restrict__ stride_, double class_, const double *__restrict__ x, "
                                    "double direction_x_0, double direction_x_1, double direction_x_2, "
                                    "double *__restrict__ stress, const int *__restrict__ nodes, int elements, "
                                    "long long stride)"),
                          HasSubstr("const double stride__1 = stride_[stride + element];"),
                          HasSubstr("const int node1 = nodes[stride + element];"),
                          HasSubstr("const double x1_2 = x[3 * node1 + 2];"), HasSubstr("// spring.cpp:12\n"),
                          HasSubstr("stress[element] = "), HasSubstr("stress[stride + element] = ")))
      << text;
  const std::string single = emit::kernel_as_cuda(kernel, Precision::fp32);
  EXPECT_THAT(single, AllOf(HasSubstr("logf("), Not(HasSubstr("double"))));
}

// What is computed before the launch and what is computed by each thread are together the kernel, to the last bit.
TEST(CudaText, DividingAKernelChangesNoBit) {
  for (const ir::Energy& energy : test::energies())
    for (const Quantity quantity : quantities) {
      const derive::Shape shape = testing::shapes_of(energy).front();
      const ir::Kernel kernel =
          derive::element_kernel(energy, quantity, shape, std::vector<bool>(energy.parameters.size()));
      const emit::Divided divided = emit::divide(kernel);
      const testing::Batch batch = testing::element_batch(kernel, energy, shape);
      std::vector<double> uniform;
      for (std::size_t f = 0; f < kernel.inputs.size(); ++f)
        if (kernel.inputs[f].access == ir::Access::uniform)
          uniform.insert(uniform.end(), batch.fields[f].begin(), batch.fields[f].end());
      const auto computed = ir::evaluate<double>(divided.prologue, uniform);
      for (std::size_t e = 0; e < batch.elements; e += 7) {
        auto inputs = testing::inputs_of(kernel, batch, e, Precision::fp64);
        const auto whole = ir::evaluate<double>(kernel, inputs);
        inputs.insert(inputs.end(), computed.begin(), computed.end());
        const auto parts = ir::evaluate<double>(divided.kernel, inputs);
        ASSERT_EQ(whole.size(), parts.size());
        EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(whole)), std::as_bytes(std::span(parts))))
            << kernel.name;
      }
    }
}

TEST(CudaText, WhatIsUniformIsComputedBeforeTheLaunch) {
  const ir::Energy& energy = test::energy_named("neo_hookean");
  const ir::Kernel kernel = derive::element_kernel(energy, Quantity::forces, {4, 3}, {false, false});
  const std::string text = emit::kernel_as_cuda(kernel, Precision::fp64);
  const std::string each = text.substr(text.find("extern"));
  EXPECT_THAT(text, HasSubstr("// Computed before the launch:\n//   void neo_hookean_forces_computed("));
  EXPECT_THAT(each, AllOf(HasSubstr("double nu, double computed_0, "), HasSubstr("(1.0 / ")));
  EXPECT_THAT(each.substr(each.find("{")), Not(HasSubstr("nu")));
  // Nothing is computed before where each element has its own.
  const ir::Kernel varied = derive::element_kernel(energy, Quantity::forces, {4, 3}, {true, true});
  EXPECT_TRUE(emit::divide(varied).prologue.results.empty());
  EXPECT_EQ(emit::divide(varied).kernel.inputs.size(), varied.inputs.size());
}

// A condition and a sign stay with the threads, where they are made of what was computed before.
TEST(CudaText, ConditionsStayWithTheThreads) {
  ir::Kernel kernel;
  kernel.name = "choice";
  kernel.inputs = {{"a", ir::Access::uniform, 2}, {"x", ir::Access::element, 1}};
  kernel.outputs = {{"y", ir::Access::element, 2}};
  const auto in = [&](std::uint32_t slot) { return ir::Expression{&kernel.graph, kernel.graph.input(slot)}; };
  const ir::Expression sum = in(0) + in(1);
  kernel.results = {select(less(sum, in(0)), in(2), -sum).node, (in(0) * in(1)).node};
  const emit::Divided divided = emit::divide(kernel);
  EXPECT_EQ(divided.prologue.results.size(), 2u);
  const std::vector<double> uniform{2, -3};
  const auto computed = ir::evaluate<double>(divided.prologue, uniform);
  const std::vector<double> inputs{2, -3, 7, computed[0], computed[1]};
  EXPECT_THAT(ir::evaluate<double>(divided.kernel, inputs), ::testing::ElementsAre(7, -6));
}

TEST(CudaText, DecompositionsAreFunctions) {
  const ir::Kernel kernel = emit::testing::composite_kernel(ir::Op::eigen);
  EXPECT_THAT(emit::kernel_as_cuda(kernel, Precision::fp64),
              HasSubstr("static __device__ __forceinline__ void eigen_3x3(const double *x, double *parts) {"));
}

// (x0 x1 + x2) exp(x0 - x1), with the last factor far after the first.
TEST(CudaText, ValuesThatAreUsedFarApartAreMadeAgain) {
  ir::Kernel kernel;
  kernel.name = "far";
  kernel.inputs = {{"x", ir::Access::element, 3}};
  kernel.outputs = {{"y", ir::Access::element, 1}};
  const auto in = [&](std::uint32_t slot) { return ir::Expression{&kernel.graph, kernel.graph.input(slot)}; };
  const ir::Expression difference = in(0) - in(1);
  ir::Expression chain = in(2) * difference;
  for (int k = 0; k < 300; ++k) chain = chain.apply(ir::Op::sin) + 0.5;
  kernel.results = {(chain * difference).node};
  const std::string kept = emit::kernel_as_cuda(kernel, Precision::fp64, {.all_registers = true});
  const std::string again = emit::kernel_as_cuda(kernel, Precision::fp64, {.all_registers = true, .made_again = true});
  EXPECT_THAT(kept, AllOf(HasSubstr("__launch_bounds__(128, 1) far("), Not(HasSubstr("none1"))));
  EXPECT_THAT(again, AllOf(HasSubstr("const int none1 = elements >> 31;"),
                           HasSubstr("const double x_0_ = x[(element + none1)];"),
                           HasSubstr("const double x_1_ = x[stride + (element + none1)];"), HasSubstr("x_0_ - x_1_"),
                           Not(HasSubstr("x_2_"))))
      << again;
}

TEST(CudaText, LoopsAreLoops) {
  const ir::Kernel kernel = emit::testing::exchange_kernel();
  Loader loader;
  const testing::CudaOnHost cuda(loader, kernel, Precision::fp64);
  EXPECT_THAT(cuda.text(), HasSubstr("  #pragma unroll 1\n  for (int trip1 = 0; trip1 < 25; ++trip1) {"));
  const testing::Batch batch = testing::random_batch(kernel, 50, 1, 0.1, 2);
  const auto found = cuda.run(batch, 16);
  for (std::size_t e = 0; e < batch.elements; ++e) {
    const auto right = ir::evaluate<double>(kernel, testing::inputs_of(kernel, batch, e, Precision::fp64));
    EXPECT_EQ(found[0][2 * e], right[0]) << cuda.text();
    EXPECT_EQ(found[0][2 * e + 1], right[1]) << cuda.text();
  }
}

}  // namespace
}  // namespace proxima::jit
