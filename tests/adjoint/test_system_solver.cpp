#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "runtime/adjoint/system_solver.hpp"
#include "runtime/device/parallel.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/reference.hpp"
#include "tests/support/symmetric_eigen.hpp"

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
  adjoint::SystemSolver<solve::Objective> solver(objective, {});
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
  result.negative = static_cast<int>((test::symmetric_eigen(H).values.array() < 0).count());
  return result;
}

TEST(SystemSolver, SolvesAtAMinimumByConjugateGradients) {
  const Solved solved = solve_pressed(0.01);
  ASSERT_EQ(solved.negative, 0);
  EXPECT_TRUE(solved.evidence.solved);
  EXPECT_FALSE(solved.evidence.negative_curvature);
  EXPECT_LE(solved.evidence.residual, 1e-9);
  EXPECT_LT(solved.error, 1e-6);
}

TEST(SystemSolver, SolvesAtASaddleByMinres) {
  const Solved solved = solve_pressed(0.3);
  ASSERT_GT(solved.negative, 0);
  EXPECT_TRUE(solved.evidence.solved);
  EXPECT_TRUE(solved.evidence.negative_curvature);
  EXPECT_LE(solved.evidence.residual, 1e-9);
  EXPECT_LT(solved.error, 1e-6);
}

TEST(SystemSolver, SaysSoWhenIterationsDoNotSuffice) {
  const model::Model model = pressed_bar(0.01);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  adjoint::SystemSolver<solve::Objective> solver(objective, {.tolerance = 1e-9, .max_cg = 3});
  std::vector<double> b(model.initial_positions.size(), 1.0);
  objective.clear_held(b);
  const auto evidence = solver.solve(model.initial_positions, b);
  EXPECT_FALSE(evidence.solved);
  EXPECT_GT(evidence.residual, 1e-9);
}

// One system after the other, at states and of right-hand sides that change a little. A-solves of each.
std::vector<int> solve_in_turn(int threads, std::vector<std::vector<double>>& solutions) {
  device::set_threads(threads);
  model::Model model = bodies::make_bar(20, 0.02);
  bodies::hold_end(model, false);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  adjoint::SystemSolver<solve::Objective> solver(objective, {.tolerance = 1e-8});
  const bodies::ReferenceSimulator reference(model);
  std::vector<int> a_solves;
  for (int k = 0; k < 12; ++k) {
    std::vector<double> x = model.initial_positions, b(x.size());
    for (std::size_t i = 0; i < x.size(); i += 3) {
      x[i + 1] += 0.3 * (1 + 0.1 * k) * model.initial_positions[i] * model.initial_positions[i];
      b[i + 2] = std::cos(0.1 * k) + std::sin(30 * x[i] + 0.2 * k);
    }
    objective.clear_held(b);
    const auto evidence = solver.solve(x, b);
    EXPECT_TRUE(evidence.solved);
    EXPECT_FALSE(evidence.negative_curvature);
    EXPECT_LE(evidence.residual, 1e-8);
    const auto size = static_cast<long>(x.size());
    const Eigen::MatrixXd H = reference.step_matrix(Eigen::Map<const VectorXd>(x.data(), size));
    const VectorXd expected = H.partialPivLu().solve(Eigen::Map<const VectorXd>(b.data(), size));
    EXPECT_LT((Eigen::Map<const VectorXd>(solver.solution().data(), size) - expected).norm(), 1e-6 * expected.norm());
    a_solves.push_back(evidence.a_solves);
    solutions.emplace_back(solver.solution().begin(), solver.solution().end());
  }
  return a_solves;
}

TEST(SystemSolver, RecyclesTheSolutionsOfLongSolves) {
  std::vector<std::vector<double>> once, twice;
  const auto a_solves = solve_in_turn(1, once);
  ASSERT_GE(a_solves.front(), 40) << "this is no long solve";
  for (std::size_t k = 6; k < a_solves.size(); ++k) EXPECT_LT(a_solves[k], 0.75 * a_solves.front());
  EXPECT_EQ(solve_in_turn(2, twice), a_solves);
  EXPECT_EQ(once, twice);
  device::set_threads(0);
}

TEST(SystemSolver, AnswersZeroWithZero) {
  const model::Model model = pressed_bar(0.01);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  adjoint::SystemSolver<solve::Objective> solver(objective, {});
  const std::vector<double> b(model.initial_positions.size());
  EXPECT_TRUE(solver.solve(model.initial_positions, b).solved);
  for (const double z : solver.solution()) EXPECT_EQ(z, 0);
}

}  // namespace
}  // namespace proxima
