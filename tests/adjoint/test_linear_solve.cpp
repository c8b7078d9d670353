#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "runtime/adjoint/linear_solve.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/reference.hpp"

namespace proxima {
namespace {

using Eigen::VectorXd;

// A bar pressed along its length in steps so long that inertia does not help: its Hessian has negative eigenvalues.
model::Model pressed_bar(double press) {
  model::Model model = bodies::make_bar(10, 0.02);
  bodies::hold_end(model, false);
  bodies::hold_end(model, true);
  model.time_step = 10;
  for (std::size_t i = 0; i < model.initial_positions.size(); i += 3) model.initial_positions[i] *= 1 - press;
  return model;
}

struct Solved {
  adjoint::SolveEvidence evidence;
  double error;      // relative, against a dense factorisation of the assembled Hessian
  int negative = 0;  // eigenvalues of it
};

Solved solve_pressed(double press) {
  const model::Model model = pressed_bar(press);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  adjoint::AdjointSolver solver(objective, {});
  const auto& x = model.initial_positions;
  std::vector<double> b(x.size());
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::sin(3.1 * static_cast<double>(i));
  objective.clear_held(b);
  Solved result;
  result.evidence = solver.solve(x, b);

  const auto size = static_cast<long>(x.size());
  const Eigen::MatrixXd H = bodies::ReferenceSimulator(model).step_matrix(Eigen::Map<const VectorXd>(x.data(), size));
  const VectorXd expected = H.partialPivLu().solve(Eigen::Map<const VectorXd>(b.data(), size));
  const Eigen::Map<const VectorXd> found(solver.solution().data(), size);
  result.error = (found - expected).norm() / expected.norm();
  result.negative =
      static_cast<int>((Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(H).eigenvalues().array() < 0).count());
  return result;
}

TEST(AdjointSolver, SolvesAtAMinimumByConjugateGradients) {
  const Solved solved = solve_pressed(0.01);
  ASSERT_EQ(solved.negative, 0);
  EXPECT_TRUE(solved.evidence.solved);
  EXPECT_FALSE(solved.evidence.negative_curvature);
  EXPECT_LE(solved.evidence.residual, 1e-9);
  EXPECT_LT(solved.error, 1e-6);
}

TEST(AdjointSolver, SolvesAtASaddleByMinres) {
  const Solved solved = solve_pressed(0.3);
  ASSERT_GT(solved.negative, 0);
  EXPECT_TRUE(solved.evidence.solved);
  EXPECT_TRUE(solved.evidence.negative_curvature);
  EXPECT_LE(solved.evidence.residual, 1e-9);
  EXPECT_LT(solved.error, 1e-6);
}

TEST(AdjointSolver, SaysSoWhenIterationsDoNotSuffice) {
  const model::Model model = pressed_bar(0.01);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  adjoint::AdjointSolver solver(objective, {.tolerance = 1e-9, .max_cg = 3});
  std::vector<double> b(model.initial_positions.size(), 1.0);
  objective.clear_held(b);
  const auto evidence = solver.solve(model.initial_positions, b);
  EXPECT_FALSE(evidence.solved);
  EXPECT_GT(evidence.residual, 1e-9);
}

TEST(AdjointSolver, AnswersZeroWithZero) {
  const model::Model model = pressed_bar(0.01);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  adjoint::AdjointSolver solver(objective, {});
  const std::vector<double> b(model.initial_positions.size());
  EXPECT_TRUE(solver.solve(model.initial_positions, b).solved);
  for (const double z : solver.solution()) EXPECT_EQ(z, 0);
}

}  // namespace
}  // namespace proxima
