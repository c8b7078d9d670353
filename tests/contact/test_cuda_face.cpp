// Forces of faces on a GPU, by stand-ins (tests/cuda_shim), against those of the CPU's decompositions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/contact/cuda_face.hpp"
#include "tests/contact/condensed_problems.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/factor/matrices.hpp"

namespace proxima::contact {
namespace {

using model::ContactState;

// Every so many of them are open, stick, or slip with friction or without.
std::vector<FaceContact> states_of(const CondensedProblem& problem, const std::vector<ContactState>& states,
                                   double friction) {
  std::vector<FaceContact> result(problem.size());
  const auto numbers = factor::random_vector(3 * problem.size(), 3);
  for (std::size_t c = 0; c < result.size(); ++c) {
    result[c].state = states[c % states.size()];
    if (result[c].state != ContactState::slip) continue;
    const FrictionCone cone{.normal = problem.contacts[c].normal, .friction = friction};
    // Far more along the plane than friction holds.
    mesh::Vector3 trial = mesh::scaled(5.0, {numbers[3 * c], numbers[3 * c + 1], numbers[3 * c + 2]});
    mesh::add(trial, 1 - mesh::dot(trial, cone.normal), cone.normal);
    result[c] = sliding(cone, trial, problem.D.empty() ? 1e-3 : problem.D[c * problem.size() + c]);
  }
  return result;
}

struct Case {
  const char* name;
  std::vector<ContactState> states;
  double friction;
};

class FaceOnAGpu : public testing::TestWithParam<Case> {
 protected:
  device::testing::CudaShimEngine shim_;
};

TEST_P(FaceOnAGpu, HasTheForcesOfTheCpu) {
  for (const std::size_t contacts : {5u, 90u}) {
    const CondensedProblem problem = mixed_problem(contacts, 0.4, 22);
    const Face face(problem.matrix(CondensedStorage::stored),
                    states_of(problem, GetParam().states, GetParam().friction));
    ASSERT_TRUE(face.exists());
    const auto there = CudaFace::make(shim_.algebra, face);
    ASSERT_NE(there, nullptr);
    for (const unsigned seed : {4u, 5u}) {
      const auto u = factor::random_vector(3 * problem.size(), seed);
      std::vector<double> expected(u.size());
      face.forces(u, expected);
      device::CudaVector found = shim_.vector(factor::random_vector(u.size(), 6));
      there->forces(shim_.vector(u), found);
      double largest = 0;
      for (const double value : expected) largest = std::max(largest, std::abs(value));
      const auto values = shim_.values(found);
      for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-9 * largest) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Contact, FaceOnAGpu,
                         testing::Values(Case{"open", {ContactState::open}, 0}, Case{"stick", {ContactState::stick}, 0},
                                         Case{"slip", {ContactState::slip}, 0.3},
                                         Case{"without_friction", {ContactState::slip}, 0},
                                         Case{"mixed",
                                              {ContactState::slip, ContactState::stick, ContactState::open,
                                               ContactState::stick, ContactState::slip},
                                              0.3}),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

// What is solved until it has converged stays the host's.
TEST(FaceOnAGpu, OnlyWhatIsDecomposedAsAWhole) {
  device::testing::CudaShimEngine shim;
  const CondensedProblem problem = mixed_problem(60, 0.4, 23);
  const auto states = states_of(problem, {ContactState::slip}, 0.1);
  EXPECT_EQ(CudaFace::make(shim.algebra, Face(problem.matrix(CondensedStorage::matrix_free), states)), nullptr);
  const Face by_blocks(problem.matrix(CondensedStorage::stored), states, {.most_decomposed = 10});
  if (by_blocks.decomposed()->slip_system().by_blocks()) {
    EXPECT_EQ(CudaFace::make(shim.algebra, by_blocks), nullptr);
  }
}

// Of all sizes about those of a block, decomposed with row exchanges.
TEST(DenseLuOnAGpu, SolvesAsTheCpuDoes) {
  device::testing::CudaShimEngine shim;
  for (const std::int32_t size : {1, 2, 31, 32, 33, 64, 100}) {
    const auto count = static_cast<std::size_t>(size);
    factor::DenseLu lu(size);
    const auto entries = factor::random_vector(count * count, 7);
    for (std::int32_t j = 0; j < size; ++j)
      std::copy_n(&entries[static_cast<std::size_t>(j) * count], count, lu.column(j));
    ASSERT_TRUE(lu.factorize());
    auto expected = factor::random_vector(count, 8);
    device::CudaVector x = shim.vector(expected);
    factor::CudaDenseLu(shim.algebra, lu).solve(x);
    lu.solve(expected.data());
    double largest = 0;
    for (const double value : expected) largest = std::max(largest, std::abs(value));
    const auto found = shim.values(x);
    for (std::size_t i = 0; i < count; ++i) EXPECT_NEAR(found[i], expected[i], 1e-9 * largest) << size;
  }
}

}  // namespace
}  // namespace proxima::contact
