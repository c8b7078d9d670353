// The text of kernels for many worlds. What it computes: tests/device/test_cuda_batch.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "compiler/emit/cuda/print.hpp"
#include "compiler/emit/cuda/worlds.hpp"
#include "compiler/ir/expression.hpp"

namespace proxima::emit {
namespace {

using testing::HasSubstr;

TEST(ForWorlds, ArgumentsComeFromARow) {
  const std::string text = for_worlds(
      "extern \"C\" __global__ void __launch_bounds__(64)\n    move(double* to, const float *__restrict__ from, int "
      "n,\n"
      "         long long by) {\n  to[0] = from[n + by];\n}\n");
  EXPECT_EQ(text,
            R"(static __device__ __forceinline__ void move_of_one(double* to, const float *__restrict__ from, int n,
         long long by) {
  to[0] = from[n + by];
}

struct move_row {
  long long blocks;
  alignas(8) double* argument0;
  alignas(8) const float * argument1;
  alignas(8) int argument2;
  alignas(8) long long argument3;
};
extern "C" __global__ void __launch_bounds__(64) move(const move_row *__restrict__ table) {
  const move_row &row = table[blockIdx.y];
  if (blockIdx.x >= row.blocks) return;
  move_of_one(row.argument0, row.argument1, row.argument2, row.argument3);
}
)");
}

TEST(ForWorlds, PrintedKernelsInEveryStyle) {
  ir::Kernel kernel;
  kernel.name = "rubber.forces";
  kernel.inputs = {{"x", ir::Access::element, 1}};
  kernel.outputs = {{"energy", ir::Access::element, 1}};
  kernel.results = {kernel.graph.input(0)};
  for (const CudaStyle& style : cuda_styles)
    EXPECT_THAT(for_worlds(kernel_as_cuda(kernel, Precision::fp64, style)),
                HasSubstr(std::string("__launch_bounds__(128") + (style.all_registers ? ", 1" : "") +
                          ") rubber_forces(const rubber_forces_row *__restrict__ table) {"));
}

TEST(ForWorlds, WhatIsNoSuchKernelIsRefused) {
  EXPECT_THROW(for_worlds("nothing"), std::logic_error);
  EXPECT_THROW(for_worlds("__global__ void other(int n) {}"), std::logic_error);
  EXPECT_THROW(for_worlds("extern \"C\" __global__ void __launch_bounds__(64) all(int* n) { *n = gridDim.x; }"),
               std::logic_error);
}

}  // namespace
}  // namespace proxima::emit
