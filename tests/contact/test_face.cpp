// The forces of contacts whose state is settled, decomposed and iterated, against their own equations.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/contact/face.hpp"
#include "runtime/device/parallel.hpp"
#include "tests/contact/condensed_problems.hpp"
#include "tests/factor/matrices.hpp"

namespace proxima::contact {
namespace {

using mesh::cross;
using mesh::dot;
using mesh::norm;
using mesh::scaled;
using mesh::vector_at;
using model::ContactState;

// In turn open, sticking, slipping and turning, slipping without friction.
std::vector<FaceContact> states_of(const CondensedProblem& problem, bool transposed) {
  std::vector<FaceContact> face(problem.size());
  for (std::size_t c = 0; c < face.size(); ++c) {
    auto& [state, fixed, force, turn, compliance] = face[c];
    if (c % 4 == 0) continue;
    state = c % 4 == 1 ? ContactState::stick : ContactState::slip;
    const Vector3& n = problem.contacts[c].normal;
    const Vector3 across = cross(n, {std::sin(1.0 * static_cast<double>(c)), 0.3, 0.8});
    fixed = force = n;
    compliance = INFINITY;
    if (c % 4 != 2) continue;
    turn = scaled(1 / norm(across), across);
    mesh::add(force, 0.4, cross(turn, n));
    compliance = (1e-8 + std::abs(std::sin(3.0 * static_cast<double>(c)))) * problem.D[c * problem.size() + c];
    if (transposed) std::swap(fixed, force);
  }
  return face;
}

// How far forces are from what the face asks of them, of the largest u.
double left_over(const CondensedProblem& problem, const std::vector<FaceContact>& face,
                 const std::vector<double>& given, const std::vector<double>& forces) {
  const std::span<const double> u = given, f = forces;
  double most = 0, size = 0;
  for (const double value : u) size = std::max(size, std::abs(value));
  for (std::size_t c = 0; c < face.size(); ++c) {
    Vector3 moved = vector_at(u, c);
    for (std::size_t d = 0; d < face.size(); ++d) mesh::add(moved, -problem.D[c * face.size() + d], vector_at(f, d));
    const FaceContact& contact = face[c];
    if (contact.state == ContactState::open) {
      EXPECT_EQ(norm(vector_at(f, c)), 0);
    } else if (contact.state == ContactState::stick) {
      most = std::max(most, norm(moved));
    } else {
      double turning = 0;
      most = std::max(most, std::abs(dot(contact.fixed, moved)));
      if (std::isfinite(contact.compliance)) {
        turning = dot(contact.turn, vector_at(f, c));
        most = std::max(most, std::abs(dot(contact.turn, moved) - contact.compliance * turning));
      }
      Vector3 other = vector_at(f, c);  // than along `force`, `turn` and nowhere
      mesh::add(other, -dot(other, problem.contacts[c].normal), contact.force);
      mesh::add(other, -turning, contact.turn);
      EXPECT_LT(norm(other), 1e-9 * (1 + norm(vector_at(f, c))));
    }
  }
  return most / size;
}

TEST(Face, ForcesAreWhatItAsksForEitherWay) {
  for (const bool transposed : {false, true}) {
    const CondensedProblem problem = mixed_problem(120, 0.4, 21);
    const auto states = states_of(problem, transposed);
    const std::vector<double> u = factor::random_vector(3 * problem.size(), 9);
    std::vector<double> decomposed(u.size()), iterated(u.size());
    const Face one(problem.matrix(CondensedStorage::stored), states);
    const Face other(problem.matrix(CondensedStorage::matrix_free), states);
    ASSERT_TRUE(one.exists() && other.exists());
    EXPECT_FALSE(one.symmetric() || other.symmetric());
    one.forces(u, decomposed);
    other.forces(u, iterated);
    EXPECT_LT(left_over(problem, states, u, decomposed), 1e-7);
    EXPECT_LT(left_over(problem, states, u, iterated), 1e-7);
    double largest = 0;
    for (const double value : decomposed) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(iterated[i], decomposed[i], 1e-7 * largest);
  }
}

TEST(Face, TakesDirectionsOfAnotherMoment) {
  const CondensedProblem problem = mixed_problem(120, 0.4, 22);
  const auto states = states_of(problem, false);
  auto now = states;
  for (auto& contact : now) {
    mesh::add(contact.turn, 0.1, contact.fixed);
    mesh::add(contact.fixed, 0.05, {1, 2, 3});
  }
  std::vector<double> u = factor::random_vector(3 * problem.size(), 10);
  // What moves is what slips: a decomposition puts what it eliminates into the directions of now, an iteration leaves
  // it in those that it was made for.
  for (std::size_t c = 0; c < states.size(); ++c)
    if (states[c].state == ContactState::stick) std::fill_n(u.begin() + static_cast<std::ptrdiff_t>(3 * c), 3, 0.0);
  std::vector<double> decomposed(u.size()), iterated(u.size());
  Face(problem.matrix(CondensedStorage::stored), states).forces(u, now, decomposed);
  Face(problem.matrix(CondensedStorage::matrix_free), states).forces(u, now, iterated);
  double largest = 0;
  for (const double value : decomposed) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(iterated[i], decomposed[i], 1e-7 * largest);
}

TEST(Face, WhatCannotBeIteratedIsDecomposed) {
  const CondensedProblem problem = mixed_problem(60, 0.4, 23);
  const auto states = states_of(problem, false);
  const std::vector<double> u = factor::random_vector(3 * problem.size(), 11);
  std::vector<double> decomposed(u.size()), fallen_back(u.size());
  Face(problem.matrix(CondensedStorage::stored), states).forces(u, decomposed);
  const Face face(problem.matrix(CondensedStorage::matrix_free), states, {.tolerance = 1e-18});  // below rounding
  for (int repeat = 0; repeat < 2; ++repeat) {
    face.forces(u, fallen_back);
    for (std::size_t i = 0; i < u.size(); ++i) EXPECT_DOUBLE_EQ(fallen_back[i], decomposed[i]);
  }
  EXPECT_TRUE(face.exists());
}

// By default what has been iterated for a while is decomposed.
TEST(Face, HasTheSameForcesHoweverOftenItIsApplied) {
  const CondensedProblem problem = mixed_problem(1000, 0.4, 26);
  auto states = states_of(problem, false);
  for (std::size_t c = 0; c < states.size(); ++c)
    if (c % 12 > 3) states[c] = {};  // open
  const CondensedMatrix matrix = problem.matrix(CondensedStorage::by_size);
  ASSERT_FALSE(matrix.stored());
  EXPECT_EQ(problem.matrix(CondensedStorage::matrix_free).decomposition_in_products(), INFINITY);
  const std::vector<double> u = factor::random_vector(3 * problem.size(), 13);
  const Face face(matrix, states);
  std::vector<double> first(u.size()), last(u.size());
  face.forces(u, first);
  for (int k = 0; k < 5; ++k) face.forces(u, last);
  EXPECT_NE(first, last);
  EXPECT_LT(left_over(problem, states, u, first), 1e-7);
  EXPECT_LT(left_over(problem, states, u, last), 1e-7);
}

TEST(Face, HasTheSameBitsForAnyThreadCount) {
  const CondensedProblem problem = mixed_problem(300, 0.4, 24);
  const auto states = states_of(problem, false);
  const std::vector<double> u = factor::random_vector(3 * problem.size(), 12);
  std::vector<std::vector<double>> found;
  for (const int threads : {1, 2}) {
    device::set_threads(threads);
    found.emplace_back(u.size());
    Face(problem.matrix(CondensedStorage::matrix_free), states).forces(u, found.back());
  }
  device::set_threads(0);
  EXPECT_EQ(found[0], found[1]);
}

TEST(Face, OfNothingClosedHasNoForces) {
  const CondensedProblem problem = mixed_problem(20, 0.4, 25);
  for (const auto storage : {CondensedStorage::stored, CondensedStorage::matrix_free}) {
    std::vector<double> forces(3 * problem.size(), 1);
    const Face face(problem.matrix(storage), std::vector<FaceContact>(problem.size()));
    face.forces(problem.s0, forces);
    EXPECT_EQ(forces, std::vector<double>(forces.size()));
    EXPECT_TRUE(face.symmetric());
  }
}

}  // namespace
}  // namespace proxima::contact
