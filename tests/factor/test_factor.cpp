// The factor against CHOLMOD and against the matrix itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/factor/factor.hpp"
#include "tests/factor/cases.hpp"
#include "tests/factor/cholmod.hpp"
#include "tests/factor/matrices.hpp"

namespace proxima::factor {
namespace {

std::vector<double> solved(const SupernodalCholesky& factor, const std::vector<double>& b) {
  std::vector<double> x(b.size());
  factor.solve(b, x);
  return x;
}

class EveryMatrix : public testing::TestWithParam<Case> {};

TEST_P(EveryMatrix, HasTheSolutionOfCholmod) {
  const SparseSymmetric matrix = GetParam().make();
  const std::vector<double> b = random_vector(3 * static_cast<std::size_t>(matrix.size), 5);
  Cholmod oracle(matrix);
  oracle.factorize();
  oracle.set_right_hand_side(b);
  oracle.solve();
  EXPECT_LT(relative_difference(solved(factored(matrix), b), oracle.solution()), 1e-12);
}

TEST_P(EveryMatrix, LeavesNoResidual) {
  const SparseSymmetric matrix = GetParam().make();
  const std::vector<double> x = random_vector(3 * static_cast<std::size_t>(matrix.size), 6);
  const std::vector<double> b = multiply(matrix, x);
  EXPECT_LT(relative_difference(multiply(matrix, solved(factored(matrix), b)), b), 1e-13);
}

TEST_P(EveryMatrix, LosesOnlyRoundingInSingleStorage) {
  const SparseSymmetric matrix = GetParam().make();
  const std::vector<double> b = random_vector(3 * static_cast<std::size_t>(matrix.size), 7);
  EXPECT_LT(relative_difference(solved(factored(matrix, Storage::fp32), b), solved(factored(matrix), b)), 2e-7);
}

TEST_P(EveryMatrix, IsTheSameToTheBitForAnyThreadCount) {
  const SparseSymmetric matrix = GetParam().make();
  const std::vector<double> b = random_vector(3 * static_cast<std::size_t>(matrix.size), 8);
  for (const Storage storage : {Storage::fp64, Storage::fp32}) {
    std::vector<std::vector<double>> results;
    for (const int threads : {1, 2, 3}) {
      device::set_threads(threads);
      const SupernodalCholesky factor = factored(matrix, storage);
      for (int repeat = 0; repeat < 3; ++repeat) results.push_back(solved(factor, b));
    }
    device::set_threads(0);
    for (const auto& result : results) EXPECT_EQ(result, results[0]);
  }
}

TEST_P(EveryMatrix, HasForEveryWorldTheBitsOfTheWorldAlone) {
  const SparseSymmetric matrix = GetParam().make();
  for (const Storage storage : {Storage::fp64, Storage::fp32}) {
    const SupernodalCholesky factor = factored(matrix, storage);
    std::vector<std::vector<double>> b, x;
    for (unsigned world = 0; world < 5; ++world) {
      b.push_back(random_vector(3 * static_cast<std::size_t>(matrix.size), 20 + world));
      x.push_back(world == 3 ? b.back() : std::vector<double>(b.back().size()));
    }
    std::vector<SupernodalCholesky::RightHandSide> worlds;
    for (std::size_t world = 0; world < 5; ++world) worlds.push_back({world == 3 ? x[world] : b[world], x[world]});
    factor.solve(worlds);
    for (std::size_t world = 0; world < 5; ++world) EXPECT_EQ(x[world], solved(factor, b[world])) << world;
  }
}

INSTANTIATE_TEST_SUITE_P(Factor, EveryMatrix, testing::ValuesIn(all_cases()),
                         [](const auto& chosen) { return chosen.param.name; });

TEST(Factor, OfNothingSolvesNothing) {
  SparseSymmetric empty;
  empty.first = {0};
  const SupernodalCholesky factor = factored(empty);
  EXPECT_TRUE(solved(factor, {}).empty());
}

TEST(Factor, WorksInPlace) {
  const SparseSymmetric matrix = kuhn_grid(5);
  const SupernodalCholesky factor = factored(matrix);
  std::vector<double> x = random_vector(3 * static_cast<std::size_t>(matrix.size), 9);
  const std::vector<double> expected = solved(factor, x);
  factor.solve(x, x);
  EXPECT_EQ(x, expected);
}

TEST(Factor, TakesNewValues) {
  SparseSymmetric matrix = kuhn_grid(5);
  SupernodalCholesky factor = factored(matrix);
  for (double& value : matrix.value) value *= 3;
  for (std::size_t j = 0; j < static_cast<std::size_t>(matrix.size); ++j)
    matrix.value[static_cast<std::size_t>(matrix.first[j])] += static_cast<double>(j);
  factor.factorize(matrix);
  const std::vector<double> b = random_vector(3 * static_cast<std::size_t>(matrix.size), 10);
  EXPECT_EQ(solved(factor, b), solved(factored(matrix), b));
}

TEST(Factor, NamesTheRowWhereItStops) {
  for (const int threads : {1, 2}) {
    device::set_threads(threads);
    SparseSymmetric matrix = disconnected();
    matrix.value[static_cast<std::size_t>(matrix.first[130])] = -1;  // a row of the first chain
    SupernodalCholesky factor(matrix);
    try {
      factor.factorize(matrix);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("not positive definite at row 130"));
    }
    EXPECT_THROW(solved(factor, std::vector<double>(3 * static_cast<std::size_t>(matrix.size))), std::logic_error);
    factor.factorize(disconnected());  // and it can be used again
  }
  device::set_threads(0);
}

TEST(Factor, RefusesValuesThatAreNotNumbers) {
  for (const double bad : {std::nan(""), double{INFINITY}, -double{INFINITY}, 0.0}) {
    SparseSymmetric matrix = diagonal(40);
    matrix.value[17] = bad;
    SupernodalCholesky factor(matrix);
    try {
      factor.factorize(matrix);
      ADD_FAILURE() << "no error for " << bad;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("at row 17"));
    }
  }
}

TEST(Factor, RefusesWhatDoesNotFit) {
  const SparseSymmetric matrix = kuhn_grid(3);
  SupernodalCholesky factor(matrix);
  std::vector<double> b(3 * static_cast<std::size_t>(matrix.size)), shorter(b.size() - 3);
  EXPECT_THROW(factor.solve(b, b), std::logic_error);  // not factored yet
  EXPECT_THROW(factor.factorize(kuhn_grid(2)), std::logic_error);
  factor.factorize(matrix);
  EXPECT_THROW(factor.solve(b, shorter), std::logic_error);
  EXPECT_THROW(factor.solve(shorter, b), std::logic_error);
  SparseSymmetric upper = matrix;
  upper.row[0] = 1;
  EXPECT_THROW(SupernodalCholesky{upper}, std::logic_error);
}

TEST(Factor, SaysWhatItStores) {
  const SparseSymmetric matrix = kuhn_grid(10);
  const SupernodalCholesky factor(matrix);
  EXPECT_GT(factor.statistics().entries, static_cast<std::int64_t>(matrix.row.size()));
  EXPECT_GT(factor.statistics().supernodes, 1);
  EXPECT_LT(factor.statistics().supernodes, matrix.size);
}

}  // namespace
}  // namespace proxima::factor
