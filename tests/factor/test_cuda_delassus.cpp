// Sparse columns of L^-1 on a GPU, by stand-ins (tests/cuda_shim), against whole solves of the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "runtime/factor/cuda_delassus.hpp"
#include "runtime/factor/cuda_factor.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/factor/cases.hpp"
#include "tests/factor/matrices.hpp"

namespace proxima::factor {
namespace {

using device::CudaVector;
using Index = std::int32_t;

constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }

class ColumnsOnAGpu : public testing::TestWithParam<Case> {
 protected:
  // That chosen rows see what a solve has there, and add what it answers to loads there.
  void expect_solves(const SupernodalCholesky& factor, CudaFactor& on_gpu, CudaDelassus& columns,
                     const std::vector<Index>& rows) {
    const std::vector<double> b = random_vector(3 * at(factor.size()), 5), l = random_vector(3 * rows.size(), 6);
    std::vector<double> x(b.size()), loaded = b, expected(l.size());
    factor.solve(b, x);
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        expected[3 * k + axis] = x[3 * at(rows[k]) + axis];
        loaded[3 * at(rows[k]) + axis] += l[3 * k + axis];
      }
    CudaVector y = shim_.vector(std::vector<double>(b.size())), result = device::like(y);
    on_gpu.forward(shim_.vector(b), y);
    CudaVector seen = shim_.vector(std::vector<double>(l.size()));
    columns.gather(y, seen);
    EXPECT_LT(relative_difference(shim_.values(seen), expected), 1e-12);
    columns.scatter(shim_.vector(l), y);
    on_gpu.backward(y, result);
    factor.solve(loaded, x);
    EXPECT_LT(relative_difference(shim_.values(result), x), 1e-12);
  }

  device::testing::CudaShimEngine shim_;
};

TEST_P(ColumnsOnAGpu, SeeAndAddWhatSolvesDo) {
  SparseSymmetric matrix = GetParam().make();
  SupernodalCholesky factor = factored(matrix);
  Delassus inverse(factor);
  CudaDelassus columns(shim_.algebra, inverse);
  CudaFactor on_gpu(shim_.engine, factor);
  on_gpu.copy(factor);
  std::vector<Index> rows(at(matrix.size));
  std::iota(rows.begin(), rows.end(), 0);
  std::shuffle(rows.begin(), rows.end(), std::mt19937(1));
  rows.resize(std::min<std::size_t>(rows.size(), 60));
  // Few, then more and those again, then some of them in another order.
  const std::vector<Index> few(rows.begin(), rows.begin() + static_cast<long>(rows.size() + 1) / 2);
  const std::vector<Index> others(rows.rbegin(), rows.rbegin() + static_cast<long>(rows.size() + 2) / 3);
  for (const auto& chosen : {few, rows, others}) {
    columns.choose(inverse.place(chosen));
    expect_solves(factor, on_gpu, columns, chosen);
  }
  // Another factor, and the same indices.
  for (double& value : matrix.value) value *= 2;
  factor.factorize(matrix);
  inverse.clear();
  on_gpu.copy(factor);
  columns.choose(inverse.place(others));
  expect_solves(factor, on_gpu, columns, others);
}

INSTANTIATE_TEST_SUITE_P(Factor, ColumnsOnAGpu, testing::ValuesIn(all_cases()),
                         [](const auto& chosen) { return chosen.param.name; });

}  // namespace
}  // namespace proxima::factor
