// The linear systems of slipping contacts, block by block and as a whole, against their own equations.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "runtime/contact/slip_system.hpp"
#include "runtime/factor/kernels.hpp"
#include "tests/contact/condensed_problems.hpp"

namespace proxima::contact {
namespace {

using mesh::cross;
using mesh::dot;
using mesh::norm;
using mesh::scaled;

struct System {
  factor::FrontMatrix S;
  std::size_t slips = 0;
  std::vector<SlipRow> rows{};
};

factor::FrontMatrix matrix_of(const CondensedProblem& problem) {
  const auto size = static_cast<std::int32_t>(problem.size());
  factor::FrontMatrix S(factor::kernels().dense, size, size);
  for (std::int32_t j = 0; j < size; ++j) std::copy_n(problem.D.data() + std::ptrdiff_t{j} * size, size, S.column(j));
  return S;
}

// All contacts slip, each its own way; most of them resist being turned.
System slipping(const CondensedProblem& problem, double friction, bool transposed) {
  System system{matrix_of(problem), problem.size()};
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (std::size_t c = 0; c < problem.size(); ++c) {
    const Vector3& n = problem.contacts[c].normal;
    const Vector3 across = cross(n, {normal(random), normal(random), normal(random)});
    const Vector3 turn = scaled(1 / norm(across), across);
    Vector3 force = n;
    mesh::add(force, friction, cross(turn, n));
    SlipRow row{.contact = c, .fixed = n, .force = force, .own = 1e-10 * problem.D[c * problem.size() + c]};
    if (transposed) std::swap(row.fixed, row.force);
    system.rows.push_back(row);
    // What slips far resists being turned less than all contacts together resist being moved.
    const double compliance =
        static_cast<double>(problem.size()) * std::abs(normal(random)) * problem.D[c * problem.size() + c];
    if (c % 7 != 0)
      system.rows.push_back({.contact = c, .fixed = turn, .force = turn, .own = compliance, .turns = true});
  }
  return system;
}

// A layer of nodes, its normals those of a ball that it lies on, at most `bend` off the vertical.
CondensedProblem bent_layer(int side, double bend) {
  CondensedProblem problem = pressed_layer(side, 0.5, 0);
  std::size_t c = 0;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      const Vector3 n = {bend * (2.0 * i / (side - 1) - 1), bend * (2.0 * j / (side - 1) - 1), 1};
      problem.contacts[c++].normal = scaled(1 / norm(n), n);
    }
  return problem;
}

// |right-hand side - M p|, of the largest right-hand side, by plain loops.
double left_over(const System& system, const CondensedProblem& problem, const std::vector<double>& p,
                 const std::vector<double>& b) {
  double largest = 0, most = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const SlipRow& row = system.rows[i];
    double sum = row.own * p[i];
    for (std::size_t j = 0; j < p.size(); ++j)
      sum += problem.D[row.contact * problem.size() + system.rows[j].contact] * dot(row.fixed, system.rows[j].force) *
             p[j];
    largest = std::max(largest, std::abs(b[i] - sum));
    most = std::max(most, std::abs(b[i]));
  }
  return largest / most;
}

void expect_solved(const CondensedProblem& problem, double friction, bool transposed, bool by_blocks) {
  const System system = slipping(problem, friction, transposed);
  std::vector<double> b;
  b.reserve(system.rows.size());
  for (std::size_t i = 0; i < system.rows.size(); ++i) b.push_back(std::sin(1.7 * static_cast<double>(i)) + 0.2);
  std::vector<double> blocks = b, whole = b;
  const SlipSystem some(system.S, system.slips, system.rows, 0), all(system.S, system.slips, system.rows, 1 << 20);
  ASSERT_TRUE(some.exists() && all.exists());
  EXPECT_EQ(some.by_blocks(), by_blocks);
  EXPECT_FALSE(all.by_blocks());
  some.solve(blocks);
  all.solve(whole);
  EXPECT_LT(left_over(system, problem, blocks, b), 1e-9);
  EXPECT_LT(left_over(system, problem, whole, b), 1e-9);
}

struct Bent {
  double friction, bend;
};

TEST(SlipSystem, IsSolvedByBlocks) {
  for (const bool transposed : {false, true})
    for (const auto& [friction, bend] :
         {Bent{0, 0}, Bent{0.3, 0}, Bent{0.9, 0}, Bent{0, 0.1}, Bent{0, 0.4}, Bent{0.3, 0.1}, Bent{0.9, 0.03}}) {
      SCOPED_TRACE(testing::Message() << transposed << " " << friction << " " << bend);
      expect_solved(bent_layer(12, bend), friction, transposed, true);
    }
}

TEST(SlipSystem, IsDecomposedAsAWholeWhereBlocksDoNotConverge) {
  for (const bool transposed : {false, true}) {
    expect_solved(bent_layer(12, 0.4), 0.9, transposed, false);
    expect_solved(mixed_problem(60, 0, 9), 8, transposed, false);
  }
}

TEST(SlipSystem, OfNoRowsDoesNothing) {
  const SlipSystem none(factor::FrontMatrix(), 0, {}, 0);
  std::vector<double> nothing;
  none.solve(nothing);
  EXPECT_TRUE(none.exists());
}

}  // namespace
}  // namespace proxima::contact
