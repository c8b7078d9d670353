// D of the condensed problem without storing it, against D stored and against plain loops.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/contact/displacements.hpp"
#include "runtime/device/parallel.hpp"
#include "tests/contact/condensed_problems.hpp"
#include "tests/factor/matrices.hpp"

namespace proxima::contact {
namespace {

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double most = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return most / size;
}

std::vector<double> product(const CondensedProblem& problem, const std::vector<double>& f) {
  std::vector<double> s(f.size());
  for (std::size_t c = 0; c < problem.size(); ++c)
    for (std::size_t d = 0; d < problem.size(); ++d)
      for (std::size_t i = 0; i < 3; ++i) s[3 * c + i] += problem.D[c * problem.size() + d] * f[3 * d + i];
  return s;
}

class EitherStorage : public testing::TestWithParam<CondensedStorage> {
 protected:
  CondensedProblem problem_ = mixed_problem(120, 0.4, 3);
  CondensedMatrix matrix_ = problem_.matrix(GetParam());
};

TEST_P(EitherStorage, HasTheEntriesThatPlainLoopsGive) {
  EXPECT_EQ(matrix_.stored(), GetParam() == CondensedStorage::stored);
  EXPECT_EQ(matrix_.size(), problem_.size());
  std::vector<double> room;
  EXPECT_LT(largest_difference(matrix_.values(room), problem_.D), 1e-13);
  for (std::size_t c = 0; c < problem_.size(); ++c)
    EXPECT_NEAR(matrix_.diagonal(c), problem_.D[c * problem_.size() + c], 1e-13 * matrix_.diagonal(c));
}

TEST_P(EitherStorage, MultipliesAsPlainLoopsDo) {
  const std::vector<double> f = factor::random_vector(3 * problem_.size(), 5), expected = product(problem_, f);
  std::vector<double> s(f.size());
  for (const int threads : {1, 2}) {
    device::set_threads(threads);
    std::vector<double> again(f.size());
    matrix_.multiply(f, again);
    EXPECT_LT(largest_difference(again, expected), 1e-13);
    if (threads == 1) s = again;
    EXPECT_EQ(again, s);
  }
  device::set_threads(0);
}

TEST_P(EitherStorage, FollowsForcesOneByOne) {
  std::vector<double> f = factor::random_vector(3 * problem_.size(), 6);
  const std::vector<double>& s0 = problem_.s0;
  Displacements displacements(matrix_, s0);
  EXPECT_EQ(displacements.at(7)[1], s0[22]);
  displacements.form(f);
  for (const std::size_t c : {3u, 40u, 41u}) {
    displacements.add(c, {0.1, -0.4, 0.9});
    mesh::add_at(std::span(f), c, 1, {0.1, -0.4, 0.9});
  }
  std::vector<double> expected = product(problem_, f), one_by_one, all;
  for (std::size_t i = 0; i < f.size(); ++i) expected[i] += s0[i];
  const auto read = [&](std::vector<double>& out) {
    for (std::size_t c = 0; c < problem_.size(); ++c)
      for (const double value : displacements.at(c)) out.push_back(value);
  };
  read(one_by_one);
  displacements.settle();
  read(all);
  EXPECT_LT(largest_difference(one_by_one, expected), 1e-12);
  EXPECT_LT(largest_difference(all, expected), 1e-12);
}

TEST_P(EitherStorage, HasHalfWayVectors) {
  const auto& factor = problem_.source->factor;
  const auto size = 3 * static_cast<std::size_t>(factor.size());
  const std::vector<double> r = factor::random_vector(size, 7), f = factor::random_vector(3 * problem_.size(), 8);
  ASSERT_EQ(matrix_.half_size(), size);
  // W A^-1 (r + W^T f), by half-way vectors and by a solve.
  std::vector<double> half(size), at_contacts(f.size()), x = r, expected(f.size());
  factor.forward(r, half);
  matrix_.add(f, half);
  matrix_.gather(half, at_contacts);
  const auto each = [&](auto visit) {
    for (std::size_t c = 0; c < problem_.size(); ++c)
      for (std::size_t k = problem_.rows.first[c]; k < problem_.rows.first[c + 1]; ++k)
        visit(c, problem_.rows.entries[k].row, problem_.rows.entries[k].weight);
  };
  each([&](std::size_t c, std::int32_t row, double w) {
    mesh::add_at(std::span(x), row, w, mesh::vector_at(std::span(f), c));
  });
  factor.solve(x, x);
  each([&](std::size_t c, std::int32_t row, double w) {
    mesh::add_at(std::span(expected), c, w, mesh::vector_at(std::span(x), row));
  });
  EXPECT_LT(largest_difference(at_contacts, expected), 1e-12);
}

TEST_P(EitherStorage, HasPartsOfItsOwn) {
  const std::vector<std::size_t> some = {90, 2, 31, 32, 7};
  const CondensedMatrix part = matrix_.part(some);
  std::vector<double> room;
  const auto values = part.values(room);
  for (std::size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(part.diagonal(i), matrix_.diagonal(some[i]));
    for (std::size_t j = 0; j < some.size(); ++j)
      EXPECT_NEAR(values[some.size() * i + j], problem_.D[some[i] * problem_.size() + some[j]],
                  1e-13 * matrix_.diagonal(some[i]));
  }
}

INSTANTIATE_TEST_SUITE_P(CondensedMatrix, EitherStorage,
                         testing::Values(CondensedStorage::stored, CondensedStorage::matrix_free),
                         [](const auto& chosen) {
                           return chosen.param == CondensedStorage::stored ? "Stored" : "MatrixFree";
                         });

TEST(CondensedMatrix, FewContactsAreStoredAndManyAreNot) {
  EXPECT_TRUE(mixed_problem(100, 0.4, 1).matrix(CondensedStorage::by_size).stored());
  EXPECT_FALSE(mixed_problem(2000, 0.4, 1).matrix(CondensedStorage::by_size).stored());
}

}  // namespace
}  // namespace proxima::contact
