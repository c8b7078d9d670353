#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numeric>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/methods/solver.hpp"
#include "runtime/solve/objective/conjugate_gradients.hpp"
#include "runtime/solve/precondition/frames.hpp"
#include "runtime/solve/precondition/slow_modes.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/cantilever.hpp"
#include "tests/solve/reference.hpp"
#include "tests/support/symmetric_eigen.hpp"

namespace proxima {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int slow_modes = 12;

VectorXd to_eigen(std::span<const double> v) {
  return Eigen::Map<const VectorXd>(v.data(), static_cast<long>(v.size()));
}

std::vector<double> waves(const solve::Objective& objective) {
  std::vector<double> v(3 * objective.nodes());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::sin(3.1 * static_cast<double>(i) + 0.2);
  objective.clear_held(v);
  return v;
}

struct Solution {
  std::vector<double> z;
  solve::CgOutcome outcome;
};

Solution solve_by_cg(const solve::Objective& objective, std::span<const double> x, double tolerance) {
  const auto b = waves(objective);
  solve::CgWorkspace work(objective);
  Solution result{std::vector<double>(b.size()), {}};
  objective.linearise(x);
  result.outcome = solve::conjugate_gradients(objective, b, tolerance * device::norm(b), 2000, true, work, result.z);
  return result;
}

// M as a dense matrix.
MatrixXd preconditioner_of(const solve::Objective& objective, std::span<const double> x) {
  const auto size = static_cast<long>(x.size());
  MatrixXd m(size, size);
  std::vector<double> e(x.size()), column(x.size());
  objective.linearise(x);
  for (long j = 0; j < size; ++j) {
    std::fill(e.begin(), e.end(), 0.0);
    e[static_cast<std::size_t>(j)] = 1;
    objective.clear_held(e);
    objective.precondition_hessian(e, column);
    m.col(j) = to_eigen(column);
  }
  return m;
}

TEST(NearestRotations, AreThoseOfThePolarDecomposition) {
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(2.5, Eigen::Vector3d(1, 2, -0.5).normalized()).toRotationMatrix();
  Eigen::Matrix3d stretch;
  stretch << 3, 0.5, 0.1, 0.5, 0.02, 0, 0.1, 0, 1;
  stretch = stretch * stretch;
  const auto nearest = [](const Eigen::Matrix3d& s) {
    std::vector<solve::Block> one(1);
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(one[0].data()) = s;
    solve::nearest_rotations(one);
    return Eigen::Matrix3d(Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(one[0].data()));
  };
  EXPECT_LT((nearest(turn * stretch) - turn).norm(), 1e-9);
  EXPECT_LT((nearest(1e-9 * turn * stretch) - turn).norm(), 1e-9);
  // Of a plane neighbourhood the normal turns along.
  const Eigen::Matrix3d plane = Eigen::Vector3d(2, 1, 0).asDiagonal();
  EXPECT_LT((nearest(turn * plane) - turn).norm(), 1e-9);
  // Turned inside out by a little or a lot, it is the least stretch that is given up.
  for (const double last : {-0.1, -0.8})
    EXPECT_LT((nearest(turn * Eigen::Matrix3d(Eigen::Vector3d(1, 0.9, last).asDiagonal())) - turn).norm(), 1e-9);
  // Turned inside out, along a line, nothing at all: rotations all the same.
  for (const Eigen::Matrix3d& s :
       {Eigen::Matrix3d(Eigen::Vector3d(1, 1, -0.5).asDiagonal()),
        Eigen::Matrix3d(turn.col(0) * Eigen::RowVector3d(1, 0, 0)), Eigen::Matrix3d(Eigen::Matrix3d::Zero())}) {
    const Eigen::Matrix3d r = nearest(s);
    EXPECT_LT((r.transpose() * r - Eigen::Matrix3d::Identity()).norm(), 1e-9);
    EXPECT_NEAR(r.determinant(), 1, 1e-9);
  }
  EXPECT_LT((nearest(turn.col(0) * Eigen::RowVector3d(1, 0, 0)).col(0) - turn.col(0)).norm(), 1e-9);
}

// Of a matrix whose eigenvectors are the axes, among them a slow pair that is the same twice and one near zero.
TEST(SlowModes, AreTheLowestEigenvectorsAndLiftTheirEigenvaluesByOne) {
  std::vector<double> eigenvalues(200);
  for (std::size_t i = 0; i < eigenvalues.size(); ++i) eigenvalues[i] = 0.5 + 0.002 * static_cast<double>(i);
  eigenvalues[7] = 0.01;
  eigenvalues[100] = 0.03;
  eigenvalues[42] = 1e-9;  // not to be told from zero
  const auto scale = [&](std::span<const double> v, std::span<double> y) {
    for (std::size_t i = 0; i < v.size(); ++i) y[i] = eigenvalues[i] * v[i];
  };
  const auto same = [](std::span<const double> v, std::span<double> y) { std::copy(v.begin(), v.end(), y.begin()); };
  const solve::SlowModes modes(eigenvalues.size(), 8, scale, same);
  ASSERT_GE(modes.values().size(), 2u);
  EXPECT_NEAR(modes.values()[0], 0.01, 1e-6);
  EXPECT_NEAR(modes.values()[1], 0.03, 1e-6);
  EXPECT_NEAR(std::abs(modes.vector(0)[7]), 1, 1e-5);
  std::vector<double> r(200), z(200);
  r[100] = 1;
  modes.add(r, z);
  EXPECT_NEAR(z[100], 1 / 0.03, 1e-3);
}

TEST(SlowModes, OfASpaceSmallerThanAskedForAreAllThereAre) {
  const auto third = [](std::span<const double> v, std::span<double> y) {
    for (std::size_t i = 0; i < v.size(); ++i) y[i] = v[i] / 3;
  };
  const auto same = [](std::span<const double> v, std::span<double> y) { std::copy(v.begin(), v.end(), y.begin()); };
  const solve::SlowModes modes(5, 8, third, same);
  ASSERT_EQ(modes.values().size(), 1u);  // one eigenvalue: the Krylov space has one dimension
  EXPECT_NEAR(modes.values()[0], 1.0 / 3, 1e-12);
}

TEST(Deflation, IsSymmetricPositiveDefiniteAndTurnsWithTheBody) {
  const model::Model model = bodies::make_bar(3);  // free
  jit::Engine engine;
  const solve::Objective objective(model, engine, factor::Storage::fp32, slow_modes);
  const MatrixXd m = preconditioner_of(objective, model.initial_positions);
  EXPECT_LT((m - m.transpose()).norm(), 1e-5 * m.norm());
  EXPECT_GT(test::symmetric_eigen(m).values.minCoeff(), 0);

  const Eigen::Matrix3d turn = Eigen::AngleAxisd(2, Eigen::Vector3d(1, 1, 0.3).normalized()).toRotationMatrix();
  std::vector<double> turned = model.initial_positions;
  MatrixXd all = MatrixXd::Zero(m.rows(), m.cols());
  for (long node = 0; node < m.rows() / 3; ++node) {
    Eigen::Map<Eigen::Vector3d> x(&turned[static_cast<std::size_t>(3 * node)]);
    x = turn * x;
    all.block<3, 3>(3 * node, 3 * node) = turn;
  }
  EXPECT_LT((preconditioner_of(objective, turned) - all * m * all.transpose()).norm(), 1e-6 * m.norm());
}

TEST(Deflation, SolvesWhatADenseFactorisationSolves) {
  const model::Model model = bodies::make_mixed_scene(1);
  jit::Engine engine;
  const solve::Objective deflated(model, engine, factor::Storage::fp32, slow_modes),
      plain(model, engine, factor::Storage::fp32, 0);
  std::vector<double> x = model.initial_positions;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += 1e-4 * std::sin(1.7 * static_cast<double>(i));
  const auto b = waves(deflated);
  const MatrixXd h = bodies::ReferenceSimulator(model).step_matrix(to_eigen(x));
  const VectorXd expected = h.partialPivLu().solve(to_eigen(b));
  const auto with = solve_by_cg(deflated, x, 1e-10), without = solve_by_cg(plain, x, 1e-10);
  ASSERT_FALSE(with.outcome.negative_curvature);
  EXPECT_LT((to_eigen(with.z) - expected).norm(), 1e-8 * expected.norm());
  EXPECT_LT((to_eigen(without.z) - expected).norm(), 1e-8 * expected.norm());
  EXPECT_LT(2 * with.outcome.iterations, without.outcome.iterations);
}

TEST(Deflation, GivesTheSameBitsForAnyNumberOfThreads) {
  const model::Model model = bodies::make_twisted_cantilever(1, 0.3);
  std::vector<double> first;
  for (const int threads : {1, 2, 3}) {
    device::set_threads(threads);
    jit::Engine engine;
    const solve::Objective objective(model, engine, factor::Storage::fp32, slow_modes);
    const auto z = solve_by_cg(objective, model.initial_positions, 1e-3).z;
    if (first.empty()) first = z;
    EXPECT_EQ(z, first) << threads;
  }
  device::set_threads(0);
}

TEST(Deflation, ServesOneFreeTet) {
  model::Model model = bodies::make_tet();
  jit::Engine engine;
  const solve::Objective objective(model, engine, factor::Storage::fp32, slow_modes);
  const auto solution = solve_by_cg(objective, model.initial_positions, 1e-10);
  const MatrixXd h = bodies::ReferenceSimulator(model).step_matrix(to_eigen(model.initial_positions));
  const VectorXd expected = h.ldlt().solve(to_eigen(waves(objective)));
  EXPECT_LT((to_eigen(solution.z) - expected).norm(), 1e-8 * expected.norm());
}

// Half of what CG preconditioned by A alone was measured to need (numerics, section 3;
// docs/rooms/solve_precondition.md).
struct Case {
  const char* name;
  double contrast, poisson;
  int newton, adjoint;  // A-solves to 1e-6 with A alone
};
class CantileverCounts : public testing::TestWithParam<Case> {};

TEST_P(CantileverCounts, AreAtMostHalfOfThoseWithAAlone) {
  const auto& [name, contrast, poisson, newton, adjoint] = GetParam();
  const model::Model model = bodies::make_twisted_cantilever(contrast, poisson);
  jit::Engine engine;
  const solve::Objective objective(model, engine, factor::Storage::fp32, slow_modes);
  std::vector<double> x = model.initial_positions, gradient(x.size());
  const solve::Potential potential(objective, x, bodies::weight(model));
  potential.gradient(x, gradient);
  const auto outcome = solve::minimise(potential, {}, 1e-6 * device::norm(gradient), x);
  EXPECT_EQ(outcome.end, solve::SolverEnd::converged);
  EXPECT_LE(2 * outcome.a_solves, newton);
  EXPECT_LE(2 * solve_by_cg(objective, x, 1e-6).outcome.iterations, adjoint);
}

INSTANTIATE_TEST_SUITE_P(All, CantileverCounts,
                         testing::Values(Case{"soft", 1, 0.3, 58, 38}, Case{"nearly_incompressible", 1, 0.45, 126, 76},
                                         Case{"incompressible", 1, 0.49, 325, 153},
                                         Case{"contrast_1e2", 100, 0.45, 372, 126},
                                         Case{"contrast_1e4", 1e4, 0.45, 1204, 176}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace proxima
