// Adjoint solves with filtered Hessians: what they solve, where they agree with the exact one, and that they say where
// they do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/error_estimate.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/adjoint/system_solver.hpp"
#include "runtime/solve/objective/potential.hpp"
#include "runtime/solve/step/implicit_step.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/support/symmetric_eigen.hpp"

namespace proxima {
namespace {

using adjoint::HessianChoice;
using derive::Quantity;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A bar held at both ends in steps so long that inertia does not help, stretched along each axis.
model::Model stretched_bar(double along, double across) {
  model::Model model = bodies::make_bar(6, 0.02);
  bodies::hold_end(model, false);
  bodies::hold_end(model, true);
  model.time_step = 10;
  for (std::size_t i = 0; i < model.initial_positions.size(); ++i)
    model.initial_positions[i] *= i % 3 == 0 ? along : across;
  return model;
}

struct Bar {
  Bar(double along, double across) : model(stretched_bar(along, across)) {
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::sin(3.1 * static_cast<double>(i));
    objective.clear_held(b);
  }
  VectorXd solve(Quantity product, adjoint::SolveEvidence& evidence) const {
    adjoint::SystemSolver<solve::Objective> solver(objective, {.tolerance = 1e-10});
    evidence = solver.solve(x, b, product);
    return VectorXd::Map(solver.solution().data(), static_cast<long>(b.size()));
  }
  // On all nodes, zero on held ones.
  MatrixXd matrix(Quantity product) const {
    const auto size = static_cast<long>(x.size());
    MatrixXd result(size, size);
    std::vector<double> unit(x.size()), column(x.size());
    for (long i = 0; i < size; ++i) {
      unit.assign(x.size(), 0);
      unit[i] = 1;
      objective.clear_held(unit);
      objective.hessian_vector(x, unit, column, product);
      result.col(i) = VectorXd::Map(column.data(), size);
    }
    return result;
  }

  model::Model model;
  jit::Engine engine;
  solve::Objective objective{model, engine};
  std::vector<double>& x = model.initial_positions;
  std::vector<double> b = std::vector<double>(x.size());
};

class Filters : public testing::TestWithParam<HessianChoice> {
 protected:
  Quantity product = *adjoint::hessian_row(GetParam()).product;
};

TEST_P(Filters, ChangeNothingWhereEveryElementIsConvex) {
  const Bar bar(1.1, 1.1);
  adjoint::SolveEvidence exact, filtered;
  const VectorXd z = bar.solve(Quantity::hessian_vector, exact), found = bar.solve(product, filtered);
  EXPECT_LT((found - z).norm(), 1e-8 * z.norm());
  EXPECT_TRUE(filtered.solved);
  EXPECT_FALSE(filtered.filtered);
  EXPECT_LE(filtered.exact_residual, 1e-10);
}

TEST_P(Filters, SolveAnotherSystemUnderPressAndSaySo) {
  const Bar bar(0.7, 1);
  adjoint::SolveEvidence exact, filtered;
  const VectorXd z = bar.solve(Quantity::hessian_vector, exact), found = bar.solve(product, filtered);
  EXPECT_TRUE(exact.negative_curvature);
  EXPECT_FALSE(filtered.negative_curvature);
  EXPECT_TRUE(filtered.solved);
  EXPECT_TRUE(filtered.filtered);
  const VectorXd b = VectorXd::Map(bar.b.data(), z.size());
  EXPECT_LT((bar.matrix(product) * found - b).norm(), 1e-9 * b.norm());
  EXPECT_NEAR(filtered.exact_residual, (bar.matrix(Quantity::hessian_vector) * found - b).norm() / b.norm(), 1e-9);
  EXPECT_GT(filtered.exact_residual, 0.1);
  EXPECT_GT((found - z).norm(), 0.1 * z.norm());
}

INSTANTIATE_TEST_SUITE_P(Named, Filters, testing::Values(HessianChoice::clamp, HessianChoice::absolute),
                         [](const auto& chosen) { return std::string(adjoint::hessian_row(chosen.param).name); });

// max(l, 0) is the mean of l and |l|, at each element and so in their sum.
TEST(Filter, ClampingIsTheMeanOfNoneAndTheAbsoluteValue) {
  const Bar bar(0.7, 1);
  const MatrixXd exact = bar.matrix(Quantity::hessian_vector), clamped = bar.matrix(Quantity::hessian_vector_clamped),
                 absolute = bar.matrix(Quantity::hessian_vector_absolute);
  const auto least = [](const MatrixXd& matrix) { return test::symmetric_eigen(matrix).values(0); };
  EXPECT_LT(((exact + absolute) / 2 - clamped).norm(), 1e-12 * exact.norm());
  EXPECT_LT(least(exact), -1e-3 * exact.norm());
  EXPECT_GT(least(clamped), -1e-12 * exact.norm());
}

TEST(TrustRegionRatio, ComparesTheDecreaseWithThatOfA) {
  Bar bar(1.0001, 1);
  const auto start = solve::step_start(bar.model, solve::initial_state(bar.model));
  const solve::State before = solve::initial_state(bar.model);
  bar.objective.enter_step({bar.model.time_step, start.step, start.positions, {}});
  // 2 - dx.H dx/dx.A dx for an increment so small that g is quadratic.
  const auto force = solve::given_force(bar.objective, bar.model, bar.model.time_step, start, before);
  const solve::Potential potential(bar.objective, start.positions, force);
  std::vector<double> residual(bar.x.size()), increment(bar.x.size()), image(bar.x.size());
  potential.gradient(bar.x, residual);
  bar.objective.precondition(residual, increment);
  bar.objective.hessian_vector(bar.x, increment, image);
  double by_h = 0, by_a = 0;
  for (std::size_t i = 0; i < image.size(); ++i) {
    by_h += increment[i] * image[i];
    by_a += increment[i] * residual[i];
  }
  const double ratio = adjoint::trust_region_ratio(potential, bar.x);
  EXPECT_NEAR(ratio, 2 - by_h / by_a, 1e-3);
  EXPECT_GT(std::abs(ratio - 1), 0.05);
}

TEST(BlendedFilter, ClampsOnlyWhereTheModelFits) {
  EXPECT_EQ(adjoint::blended_product(1.005), Quantity::hessian_vector_clamped);
  for (const double ratio : {0.98, 1.02, -3.0, static_cast<double>(NAN)})
    EXPECT_EQ(adjoint::blended_product(ratio), Quantity::hessian_vector_absolute);
  EXPECT_EQ(adjoint::hessian_named("blend"), HessianChoice::blend);
  EXPECT_THAT([] { adjoint::hessian_named("psd"); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("exact, clamp, absolute, blend")));
}

TEST(FilteredGradient, SaysInWhichStepsAndHowFarItIsOff) {
  const model::Model model = bodies::make_mixed_scene(3);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  const adjoint::CentreTarget loss(3, {0.05, 0.02, 0.02}, adjoint::uniform_weights(model.mesh.nodes.size()));
  const auto gradient = [&](HessianChoice choice) {
    return adjoint::rollout_gradient(objective, model, {}, {.hessian = choice, .estimate_errors = true}, loss,
                                     solve::initial_state(model));
  };
  const auto exact = gradient(HessianChoice::exact);
  EXPECT_TRUE(exact.filtered.empty());
  EXPECT_EQ(exact.worst_exact_residual, 0);
  for (const auto choice : {HessianChoice::clamp, HessianChoice::absolute, HessianChoice::blend}) {
    SCOPED_TRACE(adjoint::hessian_row(choice).name);
    const auto found = gradient(choice);
    EXPECT_EQ(found.filtered, (std::vector<int>{1, 2, 3}));
    EXPECT_GT(found.worst_exact_residual, 1e-4);
    const double error = adjoint::largest_difference(model, found, exact).relative;
    EXPECT_NEAR(found.errors->adjoint.relative, error, 0.1 * error);
  }
}

}  // namespace
}  // namespace proxima
