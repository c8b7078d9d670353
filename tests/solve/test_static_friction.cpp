// Static friction, an infinite coefficient: sets of sticking contacts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "compiler/support/error.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/solve/contact/sticking_sets.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/contact_run.hpp"
#include "tests/solve/contact_scenes.hpp"
#include "tests/solve/energies.hpp"

namespace proxima {
namespace {

using model::ContactState;
using Set = solve::StickingSets::Set;

// Forces f >= 0 and gaps s = s0 + D f >= 0 of which one is zero: what a set shows, by an independent solver.
struct Problem {
  Eigen::MatrixXd d;
  Eigen::VectorXd s0;

  Set shown(const Set& set) const {
    std::vector<int> stick;
    for (int c = 0; c < static_cast<int>(set.size()); ++c)
      if (set[static_cast<std::size_t>(c)] == ContactState::stick) stick.push_back(c);
    Eigen::VectorXd f = Eigen::VectorXd::Zero(s0.size());
    if (!stick.empty()) {
      const Eigen::MatrixXd among = d(stick, stick);
      const Eigen::VectorXd apart = -s0(stick), forces = among.ldlt().solve(apart);
      f(stick) = forces;
    }
    const Eigen::VectorXd s = s0 + d * f;
    Set result = set;
    for (int c = 0; c < s.size(); ++c) {
      auto& state = result[static_cast<std::size_t>(c)];
      if (state == ContactState::stick ? f[c] < 0 : s[c] < 0)
        state = state == ContactState::stick ? ContactState::open : ContactState::stick;
    }
    return result;
  }
};

Problem random_problem(int size, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Problem problem{Eigen::MatrixXd(size, size), Eigen::VectorXd(size)};
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) problem.d(i, j) = normal(random);
    problem.s0[i] = normal(random);
  }
  problem.d = problem.d.transpose() * problem.d + 1e-3 * Eigen::MatrixXd::Identity(size, size);
  return problem;
}

// As a step does it. Returns how many were tried, 0 where none holds.
int search(const std::function<Set(const Set&)>& shown, Set set, solve::StickingSets& sets) {
  for (int tried = 1;; ++tried) {
    const Set now = shown(set);
    if (now == set) return tried;
    set = sets.next(set, now);
    if (set.empty()) return 0;
  }
}

// D is positive definite, so that exactly one set holds.
TEST(StickingSets, EndAtTheOneThatHolds) {
  int most = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Problem problem = random_problem(7, seed);
    solve::StickingSets sets;
    const int tried = search([&](const Set& set) { return problem.shown(set); }, Set(7, ContactState::open), sets);
    EXPECT_GT(tried, 0) << seed;
    most = std::max(most, tried);
    EXPECT_FALSE(sets.torn()) << seed;
  }
  EXPECT_LT(most, 64);  // of 128
}

TEST(StickingSets, NameTheContactThatHasNoState) {
  const Problem problem = random_problem(4, 3);
  const auto torn = [&](const Set& set) {
    Set result = problem.shown(set);
    result[2] = set[2] == ContactState::stick ? ContactState::open : ContactState::stick;
    return result;
  };
  solve::StickingSets sets;
  EXPECT_EQ(search(torn, Set(4, ContactState::open), sets), 0);
  EXPECT_EQ(sets.torn(), 2U);
  EXPECT_LE(sets.count(), 16U);
  sets.forget();
  EXPECT_EQ(sets.count(), 0U);
}

// A tet that leans, held by a face in the plane x + z = 1, its other corner on the ground, with a force that would move
// that by u.
model::Model leaning(const mesh::Vector3& u) {
  model::Model model = bodies::make_bar();
  model.mesh = {};
  model.mesh.nodes = {{0, 0, 0}, {0.2, 0, 0.8}, {0.8, 0, 0.2}, {0.5, 0.4, 0.5}};
  auto& tets = mesh::make_block(model.mesh, mesh::Shape::tetrahedron);
  tets.elements = {mesh::Shape::tetrahedron, 4, {0, 1, 2, 3}};
  tets.tags = {0};
  auto& region = model.regions[0];
  model::set_elements(region, model.mesh, mesh::Shape::tetrahedron);
  region.energy = bodies::log_neo_hookean_engineering();
  region.parameters = {{1e6}, {0.4}};
  model.initial_positions.clear();
  for (const auto& node : model.mesh.nodes)
    model.initial_positions.insert(model.initial_positions.end(), node.begin(), node.end());
  model.initial_velocities.assign(model.initial_positions.size(), 0);
  model.gravity = {};
  model.dirichlet = {{{1, 2, 3}, {}, {}}};
  model.integrator = model::Integrator::quasi_static;
  model.steps = 1;
  const auto ground = bodies::make_block({});
  model.obstacles = ground.obstacles;
  model.contacts = ground.contacts;
  model.contacts[0].friction = std::numeric_limits<double>::infinity();
  const solve::Objective objective(model, test::shared_engine());
  std::vector<double> direction(model.initial_positions.size()), force(direction.size());
  std::copy(u.begin(), u.end(), direction.begin());
  objective.hessian_vector(model.initial_positions, direction, force);
  model::NodalForce pull;
  pull.nodes = {0};
  pull.end = 1;
  pull.force = {force[0], force[1], force[2]};
  model.forces = {pull};
  return model;
}

TEST(StaticFriction, SticksWhereItIsPressed) {
  const auto model = leaning({-2e-3, 0, -1e-3});
  const auto [states, reports] = test::run(model);
  EXPECT_EQ(reports[0].contact.stick, 1);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(states[1].positions[i], 0, 1e-12);
}

// Let go, the corner goes towards the face and down; held, it is pushed away from the ground by the face.
TEST(StaticFriction, SaysWhereNothingHolds) {
  try {
    test::run(leaning({1e-2, 0, -1e-3}));
    FAIL() << "solved";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("with static friction no set of sticking contacts was found that "
                                                 "holds (2 tried), node 0 is pulled where it sticks and goes in where "
                                                 "it is let go"));
  }
}

// A spinning block that meets a ball. Methods without Newton steps on sets find the same motion.
TEST(StaticFriction, RollsOverABall) {
  auto model = bodies::make_block(
      {.friction = std::numeric_limits<double>::infinity(), .height = 0.001, .refine = 2, .ball = true});
  model.steps = 20;
  for (std::size_t i = 0; i < model.initial_velocities.size(); i += 3) {
    const double* x = &model.initial_positions[i];
    model.initial_velocities[i] = 10 * x[2];
    model.initial_velocities[i + 2] = -10 * (x[0] - 0.05);
  }
  std::vector<double> expected;
  for (const auto method : {solve::Method::lbfgs, solve::Method::newton}) {
    const auto [states, reports] = test::run(model, {.tolerance = 1e-8, .solver = {.method = method}});
    int stick = 0, most = 0;
    for (const auto& report : reports) {
      EXPECT_EQ(report.substeps, 1);
      EXPECT_EQ(report.contact.slip, 0);
      EXPECT_LT(report.contact.complementarity, 1e-8);
      most = std::max(most, report.iterations);
      stick = std::max(stick, report.contact.stick);
    }
    EXPECT_GT(stick, 5);
    if (method == solve::Method::newton) {
      EXPECT_LT(most, 20);
      for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(states.back().positions[i], expected[i], 1e-8);
    }
    expected = states.back().positions;
  }
}

}  // namespace
}  // namespace proxima
