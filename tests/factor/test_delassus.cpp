// The inverse at some rows against whole solves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "runtime/device/parallel.hpp"
#include "runtime/factor/delassus.hpp"
#include "tests/factor/cases.hpp"
#include "tests/factor/matrices.hpp"

namespace proxima::factor {
namespace {

using Index = std::int32_t;

constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::vector<Index> some_rows(Index size, std::size_t count, unsigned seed) {
  std::vector<Index> rows(at(size));
  std::iota(rows.begin(), rows.end(), 0);
  std::shuffle(rows.begin(), rows.end(), std::mt19937(seed));
  rows.resize(std::min(rows.size(), count));
  return rows;
}

std::vector<double> solved(const SupernodalCholesky& factor, const std::vector<double>& b) {
  std::vector<double> x(b.size());
  factor.solve(b, x);
  return x;
}

// All entries of the table, row-major, in the order of the rows given.
std::vector<double> entries(Delassus& inverse, const std::vector<Index>& indices) {
  const std::vector<Index> places = inverse.tabulate(indices);
  std::vector<double> all;
  for (const Index p : places)
    for (const Index q : places) all.push_back(inverse.line(p)[q]);
  return all;
}

std::vector<double> block(const Delassus& inverse, const std::vector<Index>& indices) {
  std::vector<double> all(indices.size() * indices.size());
  inverse.block(indices, all);
  return all;
}

class Inverses : public testing::TestWithParam<Case> {};

TEST_P(Inverses, HaveTheEntriesThatSolvesGive) {
  const SparseSymmetric matrix = GetParam().make();
  for (const Storage storage : {Storage::fp64, Storage::fp32}) {
    const SupernodalCholesky factor = factored(matrix, storage);
    Delassus inverse(factor);
    const std::vector<Index> rows = some_rows(matrix.size, 23, 1);
    const std::vector<Index> indices = inverse.place(rows);
    ASSERT_EQ(inverse.size(), static_cast<Index>(rows.size()));
    const std::vector<double> all = block(inverse, indices);
    const auto entry = [&](std::size_t i, std::size_t j) { return all[i * rows.size() + j]; };
    for (std::size_t j = 0; j < rows.size(); ++j) {
      EXPECT_EQ(inverse.row(indices[j]), rows[j]);
      std::vector<double> b(3 * at(matrix.size));
      b[3 * at(rows[j])] = 1;
      const std::vector<double> x = solved(factor, b);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        // To rounding of the inverse's own size there.
        const double size = std::sqrt(entry(i, i) * entry(j, j));
        EXPECT_NEAR(entry(i, j), x[3 * at(rows[i])], 1e-13 * size);
        EXPECT_EQ(entry(i, j), entry(j, i));
      }
    }
  }
}

TEST_P(Inverses, GatherAndScatterAsSolvesDo) {
  const SparseSymmetric matrix = GetParam().make();
  const SupernodalCholesky factor = factored(matrix, Storage::fp32);
  Delassus inverse(factor);
  const std::vector<Index> placed = inverse.place(some_rows(matrix.size, 200, 2));
  const std::vector<double> b = random_vector(3 * at(matrix.size), 3);
  std::vector<double> y(b.size());
  factor.forward(b, y);
  const std::vector<double> x = solved(factor, b);
  // Few by their columns, all perhaps by a sweep.
  for (const std::size_t count : {std::size_t{1}, std::size_t{5}, placed.size()}) {
    const auto indices = std::span(placed).first(std::min(count, placed.size()));
    std::vector<double> at_rows(3 * indices.size()), expected(at_rows.size());
    inverse.gather(indices, y, at_rows);
    for (std::size_t i = 0; i < indices.size(); ++i)
      std::copy_n(x.data() + 3 * at(inverse.row(indices[i])), 3, expected.data() + 3 * i);
    EXPECT_LT(relative_difference(at_rows, expected), 1e-12);
    std::vector<double> one_by_one(at_rows.size());
    for (std::size_t i = 0; i < indices.size(); ++i) inverse.gather_one(indices[i], y, one_by_one.data() + 3 * i);
    EXPECT_LT(relative_difference(one_by_one, expected), 1e-12);

    const std::vector<double> l = random_vector(3 * indices.size(), 4);
    std::vector<double> moved = b, with = y, by_halves(b.size());
    for (std::size_t i = 0; i < indices.size(); ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) moved[3 * at(inverse.row(indices[i])) + axis] += l[3 * i + axis];
    inverse.scatter(indices, l, with);
    factor.backward(with, by_halves);
    EXPECT_LT(relative_difference(by_halves, solved(factor, moved)), 1e-12);
    std::vector<double> added = y;
    for (std::size_t i = 0; i < indices.size(); ++i) inverse.scatter_one(indices[i], l.data() + 3 * i, added);
    EXPECT_LT(relative_difference(added, with), 1e-12);
  }
}

TEST_P(Inverses, HaveTheSameBitsHoweverTheirRowsCame) {
  const SparseSymmetric matrix = GetParam().make();
  const std::vector<Index> rows = some_rows(matrix.size, 61, 5);
  for (const Storage storage : {Storage::fp64, Storage::fp32}) {
    const SupernodalCholesky factor = factored(matrix, storage);
    Delassus together(factor);
    const std::vector<Index> placed = together.place(rows);
    const std::vector<double> expected = block(together, placed);
    EXPECT_EQ(entries(together, placed), expected);
    for (const int threads : {1, 2}) {
      device::set_threads(threads);
      Delassus pieces(factor);
      for (std::size_t begin = rows.size(); begin > 0;) {  // from the back, in pieces of growing size, overlapping
        const std::size_t count = std::min(begin, 1 + (rows.size() - begin));
        begin -= count;
        const std::vector<Index> some = pieces.place(std::span(rows).subspan(begin));
        // Some of them stay out of the table for now.
        static_cast<void>(pieces.tabulate(std::span(some).first((some.size() + 1) / 2)));
      }
      EXPECT_EQ(entries(pieces, pieces.place(rows)), expected);
      pieces.clear();
      EXPECT_EQ(pieces.size(), 0);
      EXPECT_EQ(entries(pieces, pieces.place(rows)), expected);
    }
    device::set_threads(0);
  }
}

INSTANTIATE_TEST_SUITE_P(Factor, Inverses, testing::ValuesIn(all_cases()),
                         [](const auto& chosen) { return chosen.param.name; });

TEST(Delassus, TakesARowOnce) {
  const SparseSymmetric matrix = kuhn_grid(4);
  const SupernodalCholesky factor = factored(matrix);
  Delassus inverse(factor);
  EXPECT_EQ(inverse.place(std::vector<Index>{7, 3, 7}), (std::vector<Index>{0, 1, 0}));
  EXPECT_EQ(inverse.place(std::vector<Index>{3, 9}), (std::vector<Index>{1, 2}));
  EXPECT_EQ(inverse.size(), 3);
  EXPECT_TRUE(inverse.place({}).empty());
}

TEST(Delassus, PutsIntoTheTableWhatIsAskedFor) {
  const SparseSymmetric matrix = kuhn_grid(4);
  const SupernodalCholesky factor = factored(matrix);
  Delassus inverse(factor);
  const std::vector<Index> placed = inverse.place(some_rows(matrix.size, 60, 8));
  const std::size_t columns = inverse.bytes();
  EXPECT_EQ(inverse.tabulate(std::vector<Index>{placed[9], placed[2], placed[9]}), (std::vector<Index>{0, 1, 0}));
  EXPECT_EQ(inverse.tabulate(std::vector<Index>{placed[2], placed[5]}), (std::vector<Index>{1, 2}));
  EXPECT_LT(inverse.bytes(), columns + 1000);  // not of all 60
}

TEST(Delassus, FollowsANewFactorAfterItWasCleared) {
  SparseSymmetric matrix = kuhn_grid(4);
  SupernodalCholesky factor = factored(matrix);
  Delassus inverse(factor);
  const double before = entries(inverse, inverse.place(std::vector<Index>{7, 3}))[1];
  for (double& value : matrix.value) value *= 4;
  factor.factorize(matrix);
  inverse.clear();
  EXPECT_NEAR(entries(inverse, inverse.place(std::vector<Index>{3, 7}))[1], before / 4, 1e-15 * before);
}

TEST(Delassus, RefusesRowsThatAreNotThere) {
  const SparseSymmetric matrix = kuhn_grid(2);
  SupernodalCholesky factor(matrix);
  Delassus inverse(factor);
  EXPECT_THROW(static_cast<void>(inverse.place(std::vector<Index>{0})), std::logic_error);  // no factor yet
  factor.factorize(matrix);
  EXPECT_THROW(static_cast<void>(inverse.place(std::vector<Index>{-1})), std::logic_error);
  EXPECT_THROW(static_cast<void>(inverse.place(std::vector<Index>{matrix.size})), std::logic_error);
}

}  // namespace
}  // namespace proxima::factor
