// The factor against CHOLMOD and against the matrix itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <ostream>
#include <string>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/factor/factor.hpp"
#include "tests/factor/cholmod.hpp"
#include "tests/factor/matrices.hpp"

namespace proxima::factor {
namespace {

std::vector<double> solved(const SupernodalCholesky& factor, const std::vector<double>& b) {
  std::vector<double> x(b.size());
  factor.solve(b, x);
  return x;
}

SupernodalCholesky factored(const SparseSymmetric& matrix, Storage storage = Storage::fp64) {
  SupernodalCholesky factor(matrix, storage);
  factor.factorize(matrix);
  return factor;
}

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(difference / size);
}

// The matrix is made by the test that wants it: each case runs in a process of its own.
struct Case {
  std::string name;
  std::function<SparseSymmetric()> make;
};

void PrintTo(const Case& chosen, std::ostream* out) { *out << chosen.name; }

SparseSymmetric dense(std::int32_t size) {
  std::vector<Entry> entries;
  for (std::int32_t i = 0; i < size; ++i)
    for (std::int32_t j = 0; j <= i; ++j) entries.push_back({i, j, i == j ? 2.0 + size : 1.0 / (1 + i + j)});
  return assemble(size, std::move(entries));
}

// A dense last or first row on a diagonal.
SparseSymmetric arrow(std::int32_t size, std::int32_t hub) {
  std::vector<Entry> entries;
  for (std::int32_t i = 0; i < size; ++i) entries.push_back({i, i, i == hub ? 1.0 + size : 2.0 + 1.0 / (1 + i)});
  for (std::int32_t i = 0; i < size; ++i)
    if (i != hub) entries.push_back({i, hub, 1.0});
  return assemble(size, std::move(entries));
}

SparseSymmetric chain(std::int32_t size) {
  std::vector<Entry> entries;
  for (std::int32_t i = 0; i < size; ++i) entries.push_back({i, i, 2.5});
  for (std::int32_t i = 1; i < size; ++i) entries.push_back({i, i - 1, -1.0});
  return assemble(size, std::move(entries));
}

SparseSymmetric diagonal(std::int32_t size) {
  std::vector<Entry> entries;
  for (std::int32_t i = 0; i < size; ++i) entries.push_back({i, i, 1.0 + i});
  return assemble(size, std::move(entries));
}

// Several copies of a grid, of a chain and of single rows, numbered in turn.
SparseSymmetric disconnected() {
  std::vector<Entry> entries;
  std::int32_t size = 0;
  for (int copy = 0; copy < 3; ++copy)
    for (const SparseSymmetric& part : {kuhn_grid(4), chain(37), diagonal(5)}) {
      for (std::int32_t j = 0; j < part.size; ++j)
        for (auto e = part.first[static_cast<std::size_t>(j)]; e < part.first[static_cast<std::size_t>(j) + 1]; ++e)
          entries.push_back(
              {size + part.row[static_cast<std::size_t>(e)], size + j, part.value[static_cast<std::size_t>(e)]});
      size += part.size;
    }
  return assemble(size, std::move(entries));
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  cases.push_back({"one_row", [] { return diagonal(1); }});
  cases.push_back({"two_rows", [] { return chain(2); }});
  cases.push_back({"diagonal", [] { return diagonal(1000); }});
  cases.push_back({"chain", [] { return chain(5000); }});
  for (const int size : {7, 8, 9, 16, 17, 63, 64, 65, 130, 300, 600})
    cases.push_back({"dense_" + std::to_string(size), [size] { return dense(size); }});
  cases.push_back({"arrow_last", [] { return arrow(3000, 2999); }});
  cases.push_back({"arrow_first", [] { return arrow(3000, 0); }});
  for (const int cells : {1, 2, 3, 6, 11, 18})
    cases.push_back({"grid_" + std::to_string(cells), [cells] { return kuhn_grid(cells); }});
  for (const unsigned seed : {1u, 2u, 3u})
    cases.push_back({"random_" + std::to_string(seed), [seed] { return random_sparse(900, 5, seed); }});
  cases.push_back({"random_wide", [] { return random_sparse(300, 40, 4); }});
  cases.push_back({"disconnected", disconnected});
  return cases;
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
