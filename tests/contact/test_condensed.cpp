// The condensed contact problem: closed forms of one contact, the conditions themselves, and every method against
// every other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "compiler/support/error.hpp"
#include "runtime/contact/fischer_burmeister.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "tests/contact/condensed_problems.hpp"

namespace proxima::contact {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
using model::ContactState;

struct Solved {
  std::vector<double> f;
  CondensedOutcome outcome;
};

struct Way {
  CondensedMethod method = CondensedMethod::gauss_seidel;
  CondensedStorage storage = CondensedStorage::stored;
};

Solved solve(const CondensedProblem& problem, const Way& way, double tolerance = 1e-11, int sweeps = 20000) {
  Solved solved{.f = std::vector<double>(3 * problem.size()), .outcome = {}};
  solved.outcome = solve_condensed(problem.matrix(way.storage), problem.contacts, problem.s0, solved.f,
                                   {.method = way.method, .tolerance = tolerance, .max_sweeps = sweeps});
  return solved;
}

std::vector<Way> every_way() {
  std::vector<Way> ways;
  for (const CondensedEntry& entry : condensed_methods())
    for (const auto storage : {CondensedStorage::stored, CondensedStorage::matrix_free})
      ways.push_back({entry.method, storage});
  return ways;
}

class EveryMethod : public testing::TestWithParam<Way> {};

// One contact of compliance 0.5 with normal (0, 0, 1).
CondensedProblem single(double friction, std::vector<double> s0) {
  return {.D = {0.5}, .contacts = {{.normal = {0, 0, 1}, .friction = friction}}, .s0 = std::move(s0)};
}

TEST_P(EveryMethod, SolvesOneContactInClosedForm) {
  const auto expect = [&](const CondensedProblem& problem, ContactState state, const std::vector<double>& f) {
    const Solved solved = solve(problem, GetParam());
    EXPECT_TRUE(solved.outcome.converged) << solved.outcome.residual;
    EXPECT_EQ(solved.outcome.states, std::vector{state});
    for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(solved.f[axis], f[axis], 1e-9);
  };
  expect(single(0.4, {3, 1, 0.1}), ContactState::open, {0, 0, 0});
  expect(single(0.4, {0.1, 0, -1}), ContactState::stick, {-0.2, 0, 2});
  expect(single(0.4, {3, 4, -1}), ContactState::slip, {-0.48, -0.64, 2});  // 0.4 * 2 against (3, 4) / 5
  expect(single(0, {3, 4, -1}), ContactState::slip, {0, 0, 2});
  expect(single(infinite, {3, 4, -1}), ContactState::stick, {-6, -8, 2});
  expect(single(infinite, {3, 4, 1}), ContactState::open, {0, 0, 0});
}

TEST_P(EveryMethod, SatisfiesTheConditions) {
  for (const std::size_t contacts : {5u, 20u, 60u})
    for (const double friction : {0.0, 0.3, 1.0}) {
      const CondensedProblem problem = mixed_problem(contacts, friction, static_cast<unsigned>(contacts));
      const Solved solved = solve(problem, GetParam());
      EXPECT_TRUE(solved.outcome.converged)
          << contacts << " contacts, mu " << friction << ": " << solved.outcome.residual;
      EXPECT_LT(violation(problem, solved.f), 1e-9) << contacts << " contacts, mu " << friction;
      EXPECT_EQ(solved.outcome.open + solved.outcome.stick + solved.outcome.slip, static_cast<int>(contacts));
    }
}

TEST_P(EveryMethod, HasTheSameBitsForAnyThreadCount) {
  const CondensedProblem problem = mixed_problem(30, 0.5, 7);
  const std::vector<double> expected = solve(problem, GetParam()).f;
  for (const int threads : {1, 2}) {
    device::set_threads(threads);
    EXPECT_EQ(solve(problem, GetParam()).f, expected);
  }
  device::set_threads(0);
}

TEST_P(EveryMethod, LeavesOpenContactsAlone) {
  CondensedProblem problem = mixed_problem(20, 0.5, 3);
  for (std::size_t c = 0; c < problem.size(); ++c)
    for (std::size_t axis = 0; axis < 3; ++axis) problem.s0[3 * c + axis] = 1e-3 * problem.contacts[c].normal[axis];
  const Solved solved = solve(problem, GetParam());
  EXPECT_TRUE(solved.outcome.converged);
  EXPECT_EQ(solved.outcome.open, 20);
  EXPECT_EQ(solved.f, std::vector<double>(60));
}

TEST_P(EveryMethod, OfNoContactDoesNothing) {
  const Solved solved = solve({}, GetParam());
  EXPECT_TRUE(solved.outcome.converged);
}

TEST_P(EveryMethod, FindsTheForcesOfGaussSeidel) {
  for (const double friction : {0.2, 0.8}) {
    const CondensedProblem problem = mixed_problem(60, friction, 17);
    const std::vector<double> f = solve(problem, GetParam()).f, expected = solve(problem, Way()).f;
    double scale = 0;
    for (const double value : expected) scale = std::max(scale, std::abs(value));
    for (std::size_t i = 0; i < f.size(); ++i) EXPECT_NEAR(f[i], expected[i], 1e-8 * scale);
  }
}

TEST_P(EveryMethod, SolvesEllipticCones) {
  CondensedProblem problem = mixed_problem(60, 0.9, 23);
  for (CondensedContact& contact : problem.contacts) {
    const Vector3 other = mesh::cross(contact.normal, {1, 0.2, 0.1});
    contact.along = mesh::scaled(1 / mesh::norm(other), other);
    contact.across = 0.3;
  }
  const Solved solved = solve(problem, GetParam());
  EXPECT_TRUE(solved.outcome.converged) << solved.outcome.residual;
  EXPECT_LT(violation(problem, solved.f), 1e-9);
  EXPECT_GT(solved.outcome.slip, 10);
  EXPECT_GT(solved.outcome.stick, 5);
}

TEST_P(EveryMethod, HoldsALayerBelowTheFrictionAngle) {
  for (const double shift : {0.0, 0.3}) {  // straight down too: nothing slips, and lengths of slips are 0
    const CondensedProblem problem = pressed_layer(4, 0.5, shift);
    const Solved solved = solve(problem, GetParam(), 1e-9);
    EXPECT_TRUE(solved.outcome.converged) << solved.outcome.residual;
    EXPECT_EQ(solved.outcome.stick, 16);
  }
}

INSTANTIATE_TEST_SUITE_P(Condensed, EveryMethod, testing::ValuesIn(every_way()), [](const auto& chosen) {
  for (const CondensedEntry& entry : condensed_methods())
    if (entry.method == chosen.param.method)
      return std::string(entry.name) + (chosen.param.storage == CondensedStorage::stored ? "" : "_matrix_free");
  return std::string();
});

// Matrix-free and stored, of as many contacts as faces are iterated with.
TEST(Condensed, ForcesDoNotDependOnTheStorage) {
  std::vector<CondensedProblem> problems = {mixed_problem(300, 0.4, 11), mixed_problem(150, 0, 12),
                                            mixed_problem(150, 1, 13),   pressed_layer(12, 0.5, 0.2),
                                            pressed_layer(12, 0.5, 0.8), pressed_layer(12, 0, 0.5)};
  for (const auto& problem : problems) {
    const Solved solved = solve(problem, {.storage = CondensedStorage::matrix_free}, 1e-12),
                 expected = solve(problem, {}, 1e-12);
    EXPECT_TRUE(solved.outcome.converged) << solved.outcome.residual;
    EXPECT_EQ(solved.outcome.states, expected.outcome.states);
    EXPECT_LT(violation(problem, solved.f), 1e-9);
    double scale = 0;
    for (const double value : expected.f) scale = std::max(scale, std::abs(value));
    for (std::size_t i = 0; i < solved.f.size(); ++i) EXPECT_NEAR(solved.f[i], expected.f[i], 1e-8 * scale);
  }
}

TEST(Condensed, ALayerSticksBelowAndSlipsAboveTheFrictionAngle) {
  for (const double shift : {0.2, 0.8}) {
    const CondensedProblem problem = pressed_layer(8, 0.5, shift);
    const Solved solved = solve(problem, Way());
    EXPECT_TRUE(solved.outcome.converged);
    EXPECT_EQ(solved.outcome.open, 0);
    EXPECT_EQ(shift < 0.5 ? solved.outcome.stick : solved.outcome.slip, 64);
    EXPECT_LT(violation(problem, solved.f), 1e-9);
  }
}

// Sweeps alone would take some ten thousand.
TEST(Condensed, ManyMixedContactsConvergeInFewSweeps) {
  const CondensedProblem problem = mixed_problem(300, 0.4, 11);
  const Solved solved = solve(problem, Way());
  EXPECT_LT(solved.outcome.sweeps, 60);
  EXPECT_LT(solved.outcome.newton_steps, 15);
  EXPECT_TRUE(solved.outcome.converged) << solved.outcome.residual;
  EXPECT_LT(violation(problem, solved.f), 1e-9);
  EXPECT_GT(solved.outcome.open, 30);
  EXPECT_GT(solved.outcome.stick, 20);
  EXPECT_GT(solved.outcome.slip, 30);
}

// Each contact twice: only the sums of forces are determined.
TEST(Condensed, RedundantContactsShareTheirForces) {
  for (const double friction : {0.0, 0.4, infinite}) {
    const CondensedProblem once = mixed_problem(20, friction, 5);
    const CondensedProblem twice = repeated(once, 2);
    const Solved expected = solve(once, Way());
    double scale = 0;
    for (const double value : expected.f) scale = std::max(scale, std::abs(value));
    for (const auto storage : {CondensedStorage::stored, CondensedStorage::matrix_free}) {
      const Solved solved = solve(twice, {.storage = storage});
      EXPECT_TRUE(solved.outcome.converged) << solved.outcome.residual;
      EXPECT_LT(violation(twice, solved.f), 1e-9);
      for (std::size_t i = 0; i < 60; ++i)
        EXPECT_NEAR(solved.f[6 * (i / 3) + i % 3] + solved.f[6 * (i / 3) + 3 + i % 3], expected.f[i], 1e-8 * scale);
    }
  }
}

// Each node held by three contacts with normals of their own: wedges, whose forces are not all determined.
TEST(Condensed, WedgesAreSolved) {
  for (const double friction : {0.0, 0.3, 0.8}) {
    const CondensedProblem nodes = mixed_problem(20, friction, 23);
    CondensedProblem wedges = repeated(nodes, 3);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> value(-0.5, 0.5);
    for (std::size_t c = 0; c < 60; ++c) {
      CondensedContact& contact = wedges.contacts[c];
      for (double& component : contact.normal) component += value(random);
      contact.normal = mesh::scaled(1 / mesh::norm(contact.normal), contact.normal);
      const double apart = 0.2 * nodes.D[c / 3 * 20 + c / 3] * value(random);
      for (std::size_t axis = 0; axis < 3; ++axis) wedges.s0[3 * c + axis] += apart * contact.normal[axis];
    }
    for (const auto storage : {CondensedStorage::stored, CondensedStorage::matrix_free}) {
      const Solved solved = solve(wedges, {.storage = storage}, 1e-10, 1000);
      EXPECT_TRUE(solved.outcome.converged) << "mu " << friction << ": " << solved.outcome.residual;
      EXPECT_LT(violation(wedges, solved.f), 1e-9);
    }
  }
}

TEST(Condensed, GoesOnFromAGuess) {
  const CondensedProblem problem = mixed_problem(60, 0.4, 13);
  Solved solved = solve(problem, Way());
  const CondensedOutcome again = solve_condensed(problem.matrix(CondensedStorage::stored), problem.contacts, problem.s0,
                                                 solved.f, {.tolerance = 1e-10});
  EXPECT_TRUE(again.converged);
  EXPECT_EQ(again.sweeps, 0);
}

TEST(Condensed, SaysWhenItDidNotConverge) {
  const CondensedProblem problem = mixed_problem(60, 0.4, 13);
  const Solved solved = solve(problem, Way(), 1e-12, 2);
  EXPECT_FALSE(solved.outcome.converged);
  EXPECT_GT(solved.outcome.residual, 1e-12);
  EXPECT_EQ(solved.outcome.sweeps, 2);
}

// Of the equations of Fischer and Burmeister by central differences, whose error falls fourfold with half the step.
TEST(Condensed, SmoothedEquationsHaveTheirDerivative) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(-1, 1);
  const auto vector = [&] { return Vector3{value(random), value(random), value(random)}; };
  for (const double friction : {0.0, 0.3, 2.0, infinite})
    for (int repeat = 0; repeat < 40; ++repeat) {
      const Vector3 n = vector(), tangent = mesh::cross(n, vector());
      CondensedContact contact{.normal = mesh::scaled(1 / mesh::norm(n), n), .friction = friction};
      if (friction > 0 && friction < infinite && repeat % 2 == 0) {
        contact.along = mesh::scaled(1 / mesh::norm(tangent), tangent);
        contact.across = 0.8;
      }
      constexpr double r = 0.7, smoothing = 0.1;
      const Vector3 s = vector(), f = vector(), ds = vector(), df = vector();
      // With infinite friction the equations jump where a contact begins to be pressed.
      const double pressed = mesh::dot(mesh::minus(mesh::scaled(r, f), s), contact.normal);
      if (friction == infinite && std::abs(pressed) < 1e-2) continue;
      const Linearised change = smoothed(contact, r, s, f, smoothing).change;
      const auto error = [&](double h) {
        const auto at = [&](double step) {
          Vector3 s1 = s, f1 = f;
          for (std::size_t k = 0; k < 3; ++k) s1[k] += step * ds[k], f1[k] += step * df[k];
          return smoothed(contact, r, s1, f1, smoothing).value;
        };
        Vector3 difference = mesh::scaled(1 / (2 * h), mesh::minus(at(h), at(-h)));
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j)
            difference[i] -= change.by_displacement[3 * i + j] * ds[j] + change.by_force[3 * i + j] * df[j];
        return mesh::norm(difference);
      };
      const double coarse = error(2e-4), fine = error(1e-4);
      EXPECT_LT(fine, 1e-4);
      EXPECT_TRUE(fine < 1e-9 || coarse / fine > 3.5) << "mu " << friction << ": " << coarse << " then " << fine;
    }
}

TEST(Condensed, NamesItsMethods) {
  for (const CondensedEntry& entry : condensed_methods()) EXPECT_EQ(condensed_method_named(entry.name), entry.method);
  try {
    static_cast<void>(condensed_method_named("lemke"));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("there is no contact method 'lemke'; there are gauss_seidel"));
  }
}

}  // namespace
}  // namespace proxima::contact
