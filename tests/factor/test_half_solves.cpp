// The halves of a solve and the sparse columns of L^-1 against whole solves.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/factor/paths.hpp"
#include "tests/factor/cases.hpp"
#include "tests/factor/matrices.hpp"

namespace proxima::factor {
namespace {

constexpr Storage storages[] = {Storage::fp64, Storage::fp32};

std::vector<double> forward(const SupernodalCholesky& factor, const std::vector<double>& b) {
  std::vector<double> y(b.size());
  factor.forward(b, y);
  return y;
}

// The column as forward() makes it, in all three axes alike, and as three values a pivot.
std::vector<double> unit(std::int32_t size, std::int32_t row) {
  std::vector<double> b(3 * static_cast<std::size_t>(size));
  for (std::size_t axis = 0; axis < 3; ++axis) b[3 * static_cast<std::size_t>(row) + axis] = 1;
  return b;
}

std::vector<double> spread(const SparseColumn& column, std::int32_t size) {
  std::vector<double> y(3 * static_cast<std::size_t>(size));
  std::size_t k = 0;
  for (const PivotRun& run : column.runs)
    for (std::int32_t p = run.begin; p < run.begin + run.size; ++p, ++k)
      for (std::size_t axis = 0; axis < 3; ++axis) y[3 * static_cast<std::size_t>(p) + axis] = column.values[k];
  EXPECT_EQ(k, column.values.size());
  return y;
}

// A few rows all over the matrix.
std::vector<std::int32_t> some_rows(std::int32_t size) {
  std::vector<std::int32_t> rows;
  const std::int32_t step = std::max(1, size / 9);
  for (std::int32_t row = 0; row < size; row += step) rows.push_back(row);
  rows.push_back(size - 1);
  return rows;
}

class HalfSolves : public testing::TestWithParam<Case> {};

TEST_P(HalfSolves, MakeTheBitsOfASolveForAnyThreadCount) {
  const SparseSymmetric matrix = GetParam().make();
  const std::vector<double> b = random_vector(3 * static_cast<std::size_t>(matrix.size), 11);
  for (const Storage storage : storages) {
    const SupernodalCholesky factor = factored(matrix, storage);
    std::vector<double> whole(b.size()), halves(b.size());
    factor.solve(b, whole);
    const std::vector<double> y = forward(factor, b);
    for (const int threads : {1, 2}) {
      device::set_threads(threads);
      EXPECT_EQ(forward(factor, b), y);
      factor.backward(y, halves);
      EXPECT_EQ(halves, whole);
    }
    device::set_threads(0);
  }
}

// b . A^-1 b = y . y, axis by axis: y is that of the Cholesky factor, not of some other splitting.
TEST_P(HalfSolves, KeepTheEnergy) {
  const SparseSymmetric matrix = GetParam().make();
  const std::vector<double> b = random_vector(3 * static_cast<std::size_t>(matrix.size), 12);
  const SupernodalCholesky factor = factored(matrix);
  std::vector<double> x(b.size());
  factor.solve(b, x);
  const std::vector<double> y = forward(factor, b);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double energy = 0, square = 0;
    for (std::size_t i = axis; i < b.size(); i += 3) {
      energy += b[i] * x[i];
      square += y[i] * y[i];
    }
    EXPECT_NEAR(square / energy, 1, 1e-11);
  }
}

TEST_P(HalfSolves, OfAUnitAreItsSparseColumn) {
  const SparseSymmetric matrix = GetParam().make();
  for (const Storage storage : storages) {
    const SupernodalCholesky factor = factored(matrix, storage);
    for (const std::int32_t row : some_rows(matrix.size)) {
      const SparseColumn column = factor.forward_unit(row);
      EXPECT_EQ(column.values.size(), static_cast<std::size_t>(factor.paths().size(row)));
      EXPECT_EQ(column.runs.front().begin, factor.paths().pivot(row));
      for (std::size_t r = 1; r < column.runs.size(); ++r)
        EXPECT_GT(column.runs[r].begin, column.runs[r - 1].begin + column.runs[r - 1].size);
      EXPECT_LT(relative_difference(spread(column, matrix.size), forward(factor, unit(matrix.size, row))), 1e-13);
    }
  }
}

// What two columns share, by the runs themselves.
TEST_P(HalfSolves, ColumnsShareTheirLastPivots) {
  const SparseSymmetric matrix = GetParam().make();
  const SupernodalCholesky factor = factored(matrix);
  const auto pivots = [&](std::int32_t row) {
    std::vector<std::int32_t> all;
    for (const PivotRun& run : factor.forward_unit(row).runs)
      for (std::int32_t p = run.begin; p < run.begin + run.size; ++p) all.push_back(p);
    return all;
  };
  for (const std::int32_t row : some_rows(matrix.size))
    for (const std::int32_t other : some_rows(matrix.size)) {
      const auto a = pivots(row), b = pivots(other);
      std::vector<std::int32_t> both;
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
      ASSERT_EQ(factor.paths().shared(row, other), static_cast<std::int32_t>(both.size()));
      EXPECT_TRUE(std::equal(both.begin(), both.end(), a.end() - static_cast<std::ptrdiff_t>(both.size())));
      EXPECT_TRUE(std::equal(both.begin(), both.end(), b.end() - static_cast<std::ptrdiff_t>(both.size())));
    }
}

INSTANTIATE_TEST_SUITE_P(Factor, HalfSolves, testing::ValuesIn(all_cases()),
                         [](const auto& chosen) { return chosen.param.name; });

TEST(SparseColumns, TouchOnlyTheirPath) {
  const SparseSymmetric matrix = kuhn_grid(18);
  const SupernodalCholesky factor = factored(matrix);
  std::int32_t longest = 0;
  for (std::int32_t row = 0; row < matrix.size; ++row) longest = std::max(longest, factor.paths().size(row));
  EXPECT_LT(longest, matrix.size / 3);
}

TEST(SparseColumns, RefuseWhatIsNotThere) {
  const SparseSymmetric matrix = kuhn_grid(3);
  SupernodalCholesky factor(matrix);
  std::vector<double> b(3 * static_cast<std::size_t>(matrix.size)), y(b.size()), shorter(b.size() - 3);
  EXPECT_THROW(factor.forward(b, y), std::logic_error);  // not factored yet
  EXPECT_THROW(factor.backward(y, b), std::logic_error);
  EXPECT_THROW(static_cast<void>(factor.forward_unit(0)), std::logic_error);
  factor.factorize(matrix);
  EXPECT_THROW(factor.forward(b, shorter), std::logic_error);
  EXPECT_THROW(factor.backward(shorter, b), std::logic_error);
  EXPECT_THROW(static_cast<void>(factor.forward_unit(matrix.size)), std::logic_error);
  EXPECT_THROW(static_cast<void>(factor.forward_unit(-1)), std::logic_error);
}

}  // namespace
}  // namespace proxima::factor
