#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/support/error.hpp"
#include "runtime/optimize/minimiser.hpp"

namespace proxima {
namespace {

using optimize::Evaluation;
using optimize::Stop;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Rosenbrock's function in any even number of variables; minimum 0 at (1, ..., 1).
Evaluation rosenbrock(std::span<const double> x) {
  Evaluation result{0, std::vector<double>(x.size())};
  for (std::size_t i = 0; i + 1 < x.size(); i += 2) {
    const double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    result.value += 100 * a * a + b * b;
    result.gradient[i] = -400 * a * x[i] - 2 * b;
    result.gradient[i + 1] = 200 * a;
  }
  return result;
}

optimize::MinimiseSettings thorough() {
  optimize::MinimiseSettings settings;
  settings.max_evaluations = 500;
  settings.projected_gradient = 1e-10;
  settings.relative_decrease = 0;
  return settings;
}

TEST(Lbfgsb, FindsRosenbrocksMinimumWithoutBounds) {
  const std::vector<double> start = {-1.2, 1, -1.2, 1}, low(4, -infinity), high(4, infinity);
  const auto found = optimize::minimise(rosenbrock, start, low, high, thorough());
  for (const double x : found.point) EXPECT_NEAR(x, 1, 1e-6);
  EXPECT_LT(found.value, 1e-12);
  EXPECT_EQ(found.failures, 0);
  EXPECT_LT(found.evaluations, 100);
}

TEST(Lbfgsb, FindsTheMinimumOnAnActiveBound) {
  // With x <= 1/2 the best is x = 1/2, y = 1/4, value 1/4.
  const std::vector<double> start = {-1.2, 1}, low = {-2, -infinity}, high = {0.5, 2};
  const auto found = optimize::minimise(rosenbrock, start, low, high, thorough());
  EXPECT_EQ(found.point[0], 0.5);
  EXPECT_NEAR(found.point[1], 0.25, 1e-6);
  EXPECT_NEAR(found.value, 0.25, 1e-10);
  EXPECT_EQ(found.stop, Stop::projected_gradient);
}

TEST(Lbfgsb, FindsTheCornerOfALinearFunction) {
  const auto linear = [](std::span<const double> x) { return Evaluation{2 * x[0] - 3 * x[1], {2, -3}}; };
  const std::vector<double> start = {0.25, 6.75}, low = {-1, -5}, high = {4, 7};
  std::vector<double> steepest;
  const auto found = optimize::minimise(linear, start, low, high, thorough(), [&](const optimize::Progress& progress) {
    steepest.push_back(progress.steepest);
    return true;
  });
  EXPECT_EQ(found.point, (std::vector<double>{-1, 7}));
  EXPECT_EQ(steepest.front(), 3);  // however near the bound is
  EXPECT_EQ(steepest.back(), 0);
  EXPECT_EQ(found.stop, Stop::projected_gradient);
}

TEST(Lbfgsb, IsNotFooledByTheScaleOfTheValue) {
  // Losses are squared distances: 1e-9 m^2 is a lot, and stopping tests that take values to be of order one end at
  // once.
  const auto tiny = [](std::span<const double> x) {
    Evaluation result = rosenbrock(x);
    result.value *= 1e-12;
    for (double& entry : result.gradient) entry *= 1e-12;
    return result;
  };
  const std::vector<double> start = {-1.2, 1}, low(2, -3), high(2, 3);
  const auto found = optimize::minimise(tiny, start, low, high, thorough());
  for (const double x : found.point) EXPECT_NEAR(x, 1, 1e-6);
}

TEST(Lbfgsb, BacksOffFromTrialsThatHaveNoValue) {
  // -log(1 - x) + (x - 3)^2 / 2 in x < 1 only: the first steps go past the edge. Minimum where 1/(1 - x) = 3 - x.
  const auto walled = [](std::span<const double> x) {
    if (x[0] >= 1) fail("outside");
    return Evaluation{-std::log(1 - x[0]) + (x[0] - 3) * (x[0] - 3) / 2, {1 / (1 - x[0]) + x[0] - 3}};
  };
  auto settings = thorough();
  settings.first_step = 50;
  int failed = 0;
  const std::vector<double> start = {-20}, low = {-100}, high = {100};
  const auto found = optimize::minimise(walled, start, low, high, settings, [&](const optimize::Progress& progress) {
    failed += !progress.failure.empty();
    return true;
  });
  EXPECT_NEAR(found.point[0], 2 - std::sqrt(2.0), 1e-7);
  EXPECT_GT(found.failures, 0);
  EXPECT_EQ(found.failures, failed);
}

class Method : public testing::TestWithParam<const char*> {
 protected:
  static optimize::MinimiseSettings settings() {
    auto result = thorough();
    result.method = GetParam();
    return result;
  }
};
INSTANTIATE_TEST_SUITE_P(All, Method, testing::Values("lbfgsb", "adam"),
                         [](const auto& row) { return std::string(row.param); });

TEST_P(Method, FindsTheMinimumBetweenBounds) {
  // An ill-conditioned quadratic whose free minimum (1, -2, 3) is outside in the first variable.
  const auto quadratic = [](std::span<const double> x) {
    const double a = x[0] - 1, b = x[1] + 2, c = x[2] - 3;
    return Evaluation{a * a + 10 * b * b + 100 * c * c, {2 * a, 20 * b, 200 * c}};
  };
  auto chosen = settings();
  chosen.max_evaluations = 2000;
  chosen.patience = 200;
  chosen.projected_gradient = 1e-5;
  chosen.of_method.learning_rate = 0.1;
  chosen.of_method.learning_decay = 0.99;
  const std::vector<double> start = {0, 0, 0}, low = {-5, -5, -5}, high = {0.5, 5, 5};
  const auto found = optimize::minimise(quadratic, start, low, high, chosen);
  EXPECT_THAT(found.point, testing::Pointwise(testing::DoubleNear(1e-3), std::vector<double>{0.5, -2, 3}));
  EXPECT_EQ(found.stop, Stop::projected_gradient);
}

TEST_P(Method, EndsAtOnceWhereTheStartIsAMinimum) {
  const std::vector<double> start = {1, 1}, low(2, -3), high(2, 3);
  const auto found = optimize::minimise(rosenbrock, start, low, high, settings());
  EXPECT_EQ(found.evaluations, 1);
  EXPECT_EQ(found.stop, Stop::flat);
}

TEST_P(Method, PassesOnAFailureAtTheStart) {
  const auto never = [](std::span<const double>) -> Evaluation { fail("the body cannot be simulated"); };
  const std::vector<double> start = {0}, low = {-1}, high = {1};
  EXPECT_THAT([&] { optimize::minimise(never, start, low, high, settings()); },
              ThrowsMessage<Error>(HasSubstr("simulated")));
}

TEST(Adam, GoesAsFarAsItsRateAlongAConstantGradient) {
  // Then the mean of the gradients is the gradient and the mean of their squares its square.
  auto settings = thorough();
  settings.method = "adam";
  settings.max_evaluations = 5;
  settings.of_method = {.learning_rate = 0.25, .learning_decay = 0.5};
  const auto slope = [](std::span<const double> x) { return Evaluation{1e-9 * x[0] - 7 * x[1], {1e-3, -7}}; };
  const std::vector<double> start = {0, 0}, low = {-9, -9}, high = {9, 0.4};
  std::vector<double> first, second;
  optimize::minimise(slope, start, low, high, settings, [&](const optimize::Progress& progress) {
    first.push_back(progress.point[0]);
    second.push_back(progress.point[1]);
    return true;
  });
  EXPECT_THAT(first, testing::Pointwise(testing::DoubleNear(2e-4), {0.0, -0.25, -0.375, -0.4375, -0.46875}));
  EXPECT_THAT(second, testing::Pointwise(testing::DoubleNear(1e-6), {0.0, 0.25, 0.375, 0.4, 0.4}));
}

TEST(Adam, ShortensStepsToWhereThereIsNoValue) {
  const auto walled = [](std::span<const double> x) {
    if (x[0] >= 1) fail("outside");
    return Evaluation{(x[0] - 3) * (x[0] - 3), {2 * x[0] - 6}};
  };
  auto settings = thorough();
  settings.method = "adam";
  settings.of_method.learning_rate = 0.4;
  settings.max_evaluations = 60;
  const std::vector<double> start = {-1}, low = {-100}, high = {100};
  const auto found = optimize::minimise(walled, start, low, high, settings);
  EXPECT_GT(found.failures, 0);
  EXPECT_GT(found.point[0], 0.99);
  EXPECT_LT(found.point[0], 1);
}

TEST(Minimiser, RefusesAnUnknownMethod) {
  auto settings = thorough();
  settings.method = "newton";
  const std::vector<double> start = {0}, low = {-1}, high = {1};
  EXPECT_THAT([&] { optimize::minimise(rosenbrock, start, low, high, settings); },
              ThrowsMessage<Error>(HasSubstr("lbfgsb, adam")));
}

TEST(Minimiser, WaitsAsManyIterationsAsItIsPatient) {
  // Adam overshoots this minimum and comes back: one step that lowers nothing is not the end.
  auto settings = thorough();
  settings.method = "adam";
  settings.relative_decrease = 1e-3;
  const auto parabola = [](std::span<const double> x) { return Evaluation{1 + x[0] * x[0], {2 * x[0]}}; };
  const std::vector<double> start = {1.03}, low = {-9}, high = {9};
  std::vector<int> evaluations;
  for (const int patience : {1, 10}) {
    settings.patience = patience;
    const auto found = optimize::minimise(parabola, start, low, high, settings);
    EXPECT_EQ(found.stop, Stop::relative_decrease);
    evaluations.push_back(found.evaluations);
  }
  EXPECT_GE(evaluations[1], evaluations[0] + 9);
}

TEST(Minimiser, SaysWhatStoppedIt) {
  const std::vector<double> start = {-1.2, 1}, low(2, -3), high(2, 3);
  auto settings = thorough();
  settings.max_evaluations = 7;
  auto found = optimize::minimise(rosenbrock, start, low, high, settings);
  EXPECT_EQ(found.stop, Stop::max_evaluations);
  EXPECT_EQ(found.evaluations, 7);

  settings = thorough();
  settings.value = 1e-3;
  found = optimize::minimise(rosenbrock, start, low, high, settings);
  EXPECT_EQ(found.stop, Stop::value);
  EXPECT_LE(found.value, 1e-3);

  settings = thorough();
  settings.relative_decrease = 0.5;
  EXPECT_EQ(optimize::minimise(rosenbrock, start, low, high, settings).stop, Stop::relative_decrease);

  found = optimize::minimise(rosenbrock, start, low, high, thorough(),
                             [](const optimize::Progress& progress) { return progress.evaluation < 3; });
  EXPECT_EQ(found.stop, Stop::user);
  EXPECT_EQ(found.evaluations, 3);

  const auto uphill = [](std::span<const double> x) {
    Evaluation result = rosenbrock(x);
    for (double& entry : result.gradient) entry = -entry;
    return result;
  };
  found = optimize::minimise(uphill, start, low, high, thorough());
  EXPECT_EQ(found.stop, Stop::line_search);
  EXPECT_LE(found.value, rosenbrock(start).value);
  EXPECT_THAT(optimize::describe(found.stop), HasSubstr("gradient"));
}

TEST(Minimiser, RefusesAStartOutsideItsBounds) {
  const std::vector<double> start = {2}, low = {-1}, high = {1};
  EXPECT_THROW(optimize::minimise(rosenbrock, start, low, high, {}), Error);
  EXPECT_THROW(optimize::minimise(rosenbrock, {}, {}, {}, {}), Error);
}

}  // namespace
}  // namespace proxima
