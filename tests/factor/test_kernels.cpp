// The kernels of every instruction set that this processor has, against plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "runtime/device/aligned.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/factor/dense_lu.hpp"
#include "runtime/factor/kernels.hpp"
#include "runtime/factor/panel_pack.hpp"
#include "tests/factor/matrices.hpp"

namespace proxima::factor {

void PrintTo(const Kernels& kernels, std::ostream* out) { *out << kernels.instructions; }

namespace {

using Index = std::int32_t;

// Column-major.
struct Matrix {
  Matrix(Index r, Index c, unsigned seed, Index room = 0)
      : leading(r + room), values(random_vector(static_cast<std::size_t>((r + room) * (c + room)), seed)) {}
  double& operator()(Index r, Index c) { return values[static_cast<std::size_t>(c * leading + r)]; }
  double operator()(Index r, Index c) const { return values[static_cast<std::size_t>(c * leading + r)]; }
  Index leading;
  std::vector<double> values;
};

class EveryInstructionSet : public testing::TestWithParam<Kernels> {};

device::AlignedVector<double> room_for(Index rows, Index columns) {
  return device::AlignedVector<double>(static_cast<std::size_t>((rows + 64) * columns));
}

TEST_P(EveryInstructionSet, MultipliesLikeAPlainLoop) {
  const DenseKernels& dense = GetParam().dense;
  for (const Index m : {1, 7, 8, 24, 25, 61})
    for (const Index n : {1, 4, 8, 13, 40})
      for (const Index k : {1, 2, 31, 64})
        for (const Product product : {Product::subtract, Product::assign, Product::assign_negated}) {
          const Matrix a(m, k, 1), b(n, k, 2), b_untransposed(k, n, 3);
          for (const bool transposed : {true, false}) {
            const Index room = std::max(dense.tile_rows, dense.tile_columns);
            Matrix c(m, n, 4, room);
            const Matrix before = c;
            auto left = room_for(m, k), right = room_for(n, k);
            dense.pack_left(a.values.data(), a.leading, m, k, left.data());
            if (transposed)
              dense.pack_right_transposed(b.values.data(), b.leading, n, k, right.data());
            else
              dense.pack_right(b_untransposed.values.data(), b_untransposed.leading, n, k, right.data());
            dense.multiply(left.data(), right.data(), m, n, k, product, n, c.values.data(), c.leading);
            for (Index i = 0; i < m; ++i)
              for (Index j = 0; j < n; ++j) {
                double sum = 0;
                for (Index p = 0; p < k; ++p) sum += a(i, p) * (transposed ? b(j, p) : b_untransposed(p, j));
                const double expected = product == Product::assign     ? sum
                                        : product == Product::subtract ? before(i, j) - sum
                                                                       : -sum;
                ASSERT_NEAR(c(i, j), expected, 1e-13) << m << " " << n << " " << k;
              }
          }
        }
}

TEST_P(EveryInstructionSet, LeavesOutOnlyTilesAboveTheDiagonal) {
  const DenseKernels& dense = GetParam().dense;
  const Index size = 70, k = 5, room = std::max(dense.tile_rows, dense.tile_columns);
  for (const Index below : {0, 9}) {
    const Matrix a(size, k, 1), b(size, k, 2);
    Matrix c(size, size, 3, room), whole = c;
    auto left = room_for(size, k), right = room_for(size, k);
    dense.pack_left(a.values.data(), a.leading, size, k, left.data());
    dense.pack_right_transposed(b.values.data(), b.leading, size, k, right.data());
    dense.multiply(left.data(), right.data(), size, size, k, Product::subtract, below, c.values.data(), c.leading);
    dense.multiply(left.data(), right.data(), size, size, k, Product::subtract, size, whole.values.data(),
                   whole.leading);
    for (Index i = 0; i < size; ++i)
      for (Index j = 0; j <= std::min(i + below, size - 1); ++j) ASSERT_EQ(c(i, j), whole(i, j));
  }
}

TEST_P(EveryInstructionSet, FactorsAndInvertsADiagonalBlock) {
  for (const Index size : {1, 2, 7, 8, 31, 32}) {
    Matrix a(size, size, 5);
    for (Index i = 0; i < size; ++i) {
      a(i, i) = 2.0 + size;
      for (Index j = 0; j < i; ++j) a(j, i) = a(i, j);
    }
    Matrix lower = a, inverse(size, size, 6);
    ASSERT_EQ(GetParam().dense.factor_diagonal(lower.values.data(), lower.leading, size, inverse.values.data()), -1);
    for (Index i = 0; i < size; ++i)
      for (Index j = 0; j < size; ++j) {
        double product = 0, identity = 0;
        for (Index p = 0; p <= std::min(i, j); ++p) product += lower(i, p) * lower(j, p);
        for (Index p = j; p <= i; ++p) identity += lower(i, p) * inverse(p, j);
        EXPECT_NEAR(product, a(i, j), 1e-13 * size);
        EXPECT_NEAR(identity, i == j ? 1 : 0, 1e-14);
        if (i < j) {
          EXPECT_EQ(inverse(i, j), 0);
        }
      }
    a(size - 1, size - 1) = -1;
    EXPECT_EQ(GetParam().dense.factor_diagonal(a.values.data(), a.leading, size, inverse.values.data()), size - 1);
  }
}

TEST_P(EveryInstructionSet, AddsAtPlacesWithAndWithoutGaps) {
  std::vector<Index> place;
  for (Index i = 0, at = 2; i < 50; ++i, at += i % 17 == 5 ? 3 : 1) place.push_back(at);
  const std::vector<double> source = random_vector(place.size(), 7), before = random_vector(100, 8);
  std::vector<double> target = before, expected = before;
  for (std::size_t i = 0; i < place.size(); ++i) expected[static_cast<std::size_t>(place[i])] += source[i];
  GetParam().dense.scatter_add(source.data(), place.data(), static_cast<std::int64_t>(place.size()), target.data());
  EXPECT_EQ(target, expected);
}

// One supernode, its border scattered over a vector; both sweeps, whole and cut into ranges.
template <class T>
void check_sweeps(const SweepKernels& sweep, SweepKernels::ForwardRows* forward,
                  SweepKernels::BackwardColumns* backward, Index columns, Index rows) {
  Matrix w(rows, columns, 9);
  for (Index c = 0; c < columns; ++c) {
    std::fill_n(&w(0, c), c, 0.0);
    for (Index r = c; r < rows; ++r) w(r, c) = static_cast<double>(static_cast<T>(w(r, c)));
  }
  device::AlignedVector<T> packed(static_cast<std::size_t>(panel_entries(columns, rows)), T{-1e30f});
  for (Index c = 0; c < columns; c += strip_columns)
    pack_strip(w.values.data(), w.leading, columns, rows, c, packed.data());
  std::vector<Index> at;
  for (Index r = columns; r < rows; ++r) at.push_back(2 * (r - columns) + 1);
  const PanelView panel{.values = packed.data(), .columns = columns, .size = rows, .at = at.data()};
  const auto count = static_cast<std::size_t>(columns);
  const std::vector<double> own = random_vector(3 * count, 10), vector = random_vector(6 * at.size() + 3, 11);
  const auto stride = static_cast<std::size_t>(padded_rows(rows));
  const double tolerance = 1e-14 * (rows + columns);

  std::vector<double> expected_own(3 * count), expected_vector = vector;
  for (Index r = 0; r < rows; ++r)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double sum = 0;
      for (Index c = 0; c < columns; ++c) sum += w(r, c) * own[3 * static_cast<std::size_t>(c) + axis];
      if (r < columns)
        expected_own[3 * static_cast<std::size_t>(r) + axis] = sum;
      else
        expected_vector[3 * static_cast<std::size_t>(at[static_cast<std::size_t>(r - columns)]) + axis] -= sum;
    }
  std::vector<std::vector<double>> results;
  for (const Index range : {rows, 4 * block_rows}) {
    device::AlignedVector<double> values(3 * stride, NAN);
    for (Index begin = 0; begin < rows; begin += range)
      forward(panel, begin, std::min(rows, begin + range), own.data(), values.data());
    std::vector<double> out = own, scattered = vector;
    sweep.scatter(panel, values.data(), out.data(), scattered.data());
    for (std::size_t i = 0; i < out.size(); ++i)
      ASSERT_NEAR(out[i], expected_own[i], tolerance) << columns << " " << rows;
    for (std::size_t i = 0; i < scattered.size(); ++i)
      ASSERT_NEAR(scattered[i], expected_vector[i], tolerance) << columns << " " << rows;
    out.insert(out.end(), scattered.begin(), scattered.end());
    results.push_back(out);
  }
  EXPECT_EQ(results[0], results[1]);

  results.clear();
  for (const Index range : {columns, strip_columns}) {
    device::AlignedVector<double> values(3 * stride, NAN);
    sweep.gather(panel, own.data(), vector.data(), values.data());
    std::vector<double> out(3 * count);
    for (Index begin = 0; begin < columns; begin += range)
      backward(panel, begin, std::min(columns, begin + range), values.data(), out.data());
    for (Index c = 0; c < columns; ++c)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        double sum = 0;
        for (Index r = 0; r < rows; ++r)
          sum +=
              w(r, c) * (r < columns
                             ? own[3 * static_cast<std::size_t>(r) + axis]
                             : -vector[3 * static_cast<std::size_t>(at[static_cast<std::size_t>(r - columns)]) + axis]);
        ASSERT_NEAR(out[3 * static_cast<std::size_t>(c) + axis], sum, tolerance) << columns << " " << rows;
      }
    results.push_back(out);
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST_P(EveryInstructionSet, SweepsLikeAPlainLoop) {
  const SweepKernels& sweep = GetParam().sweep;
  for (const Index columns : {1, 2, 8, 9, 16, 17, 63, 64, 65, 130, 200})
    for (const Index border : {0, 1, 7, 8, 9, 16, 40, 111}) {
      check_sweeps<double>(sweep, sweep.forward_fp64, sweep.backward_fp64, columns, columns + border);
      check_sweeps<float>(sweep, sweep.forward_fp32, sweep.backward_fp32, columns, columns + border);
    }
}

TEST_P(EveryInstructionSet, DecomposesAnyDenseMatrix) {
  for (const Index size : {1, 2, 31, 32, 33, 64, 100, 250, 611}) {
    const Matrix a(size, size, 8);  // random: needs exchanges
    const std::vector<double> x = random_vector(static_cast<std::size_t>(size), 9);
    std::vector<double> b(x.size());
    for (Index j = 0; j < size; ++j)
      for (Index i = 0; i < size; ++i) b[static_cast<std::size_t>(i)] += a(i, j) * x[static_cast<std::size_t>(j)];
    std::vector<std::vector<double>> solutions;
    for (const int threads : {1, 2}) {
      device::set_threads(threads);
      DenseLu lu(size, GetParam().dense);
      for (Index j = 0; j < size; ++j) std::copy_n(&a.values[static_cast<std::size_t>(j * size)], size, lu.column(j));
      ASSERT_TRUE(lu.factorize());
      solutions.push_back(b);
      lu.solve(solutions.back().data());
    }
    device::set_threads(0);
    EXPECT_EQ(solutions[0], solutions[1]);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(solutions[0][i], x[i], 1e-8) << size;
  }
}

TEST_P(EveryInstructionSet, FindsSingularMatrices) {
  DenseLu lu(70, GetParam().dense);
  for (Index j = 0; j < 70; ++j)
    for (Index i = 0; i < 70; ++i) lu.column(j)[i] = i == j && i != 40 ? 1 : 0;
  EXPECT_FALSE(lu.factorize());
}

TEST_P(EveryInstructionSet, WorksOnSparseColumnsLikePlainLoops) {
  const ColumnKernels& column = GetParam().column;
  const std::vector<PivotRun> runs{{3, 1}, {5, 7}, {20, 16}, {40, 29}};
  const std::vector<double> values = random_vector(53, 1), y = random_vector(3 * 80, 2), l = random_vector(3, 3);
  std::vector<double> sum(3), expected_sum(3), moved = y, expected = y;
  column.gather(values.data(), runs.data(), static_cast<Index>(runs.size()), y.data(), sum.data());
  column.scatter(values.data(), runs.data(), static_cast<Index>(runs.size()), l.data(), moved.data());
  std::size_t k = 0;
  for (const PivotRun& run : runs)
    for (Index p = run.begin; p < run.begin + run.size; ++p, ++k)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        expected_sum[axis] += values[k] * y[3 * static_cast<std::size_t>(p) + axis];
        expected[3 * static_cast<std::size_t>(p) + axis] += values[k] * l[axis];
      }
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(sum[axis], expected_sum[axis], 1e-13);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(moved[i], expected[i], 1e-14);

  constexpr std::size_t length = 64;
  const std::vector<double> entries = random_vector(8 * length, 4);
  const device::AlignedVector<double> store(entries.begin(), entries.end());
  std::vector<const double*> ends;
  for (std::size_t c = 1; c <= 8; ++c) ends.push_back(store.data() + c * length);
  std::vector<Index> shared;
  for (const Index size : {0, 1, 5, 7, 8, 9, 15, 16, 17, 23, 31, 32, 33, 61, 63, 64}) shared.push_back(size);
  for (const Index least : {0, 20}) {  // with and without something that all share
    for (Index& size : shared) size = std::max(size, least);
    std::vector<double> product(16);
    column.products(ends.data(), ends.data() + 4, shared.data(), product.data());
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        double plain = 0;
        for (std::ptrdiff_t m = 1; m <= shared[4 * i + j]; ++m) plain += ends[i][-m] * ends[4 + j][-m];
        EXPECT_NEAR(product[4 * i + j], plain, 1e-13);
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Factor, EveryInstructionSet, testing::ValuesIn(available_kernels()),
                         [](const auto& chosen) { return std::string(chosen.param.instructions); });

}  // namespace
}  // namespace proxima::factor
