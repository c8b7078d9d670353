#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/optimize/gradcheck.hpp"

namespace proxima {
namespace {

double f(std::span<const double> x) { return std::exp(x[0]) * std::sin(x[1]) + x[0] * x[1]; }
std::vector<double> gradient(std::span<const double> x) {
  return {std::exp(x[0]) * std::sin(x[1]) + x[1], std::exp(x[0]) * std::cos(x[1]) + x[0]};
}
constexpr std::array point = {0.3, 0.7}, direction = {1.0, -0.4};

TEST(TaylorTest, PassesARightGradient) {
  const auto report = optimize::taylor_test(f, point, gradient(point), direction);
  EXPECT_TRUE(report.passed()) << optimize::table(report);
  EXPECT_NEAR(report.order, 2, 0.1);
  EXPECT_LT(report.central, 1e-11);
  EXPECT_LT(report.central_doubt, 1e-9);
  EXPECT_GE(report.order_begin / report.order_end, 99);
}

TEST(TaylorTest, FailsAGradientThatIsAlmostRight) {
  for (const double wrong : {1e-2, 1e-4, 1e-6}) {
    auto g = gradient(point);
    g[0] *= 1 + wrong;
    const auto report = optimize::taylor_test(f, point, g, direction);
    EXPECT_FALSE(report.passed()) << optimize::table(report);
    EXPECT_LT(report.central_doubt, 1e-3 * report.central);
  }
}

// Beside rounding of 1e-11 no step is both short enough for plain differences and long enough to drown it by far.
TEST(TaylorTest, ExtrapolatesDifferencesOfANoisyFunction) {
  const auto noisy = [](std::span<const double> x) { return f(x) + 1e-11 * std::sin(1e9 * x[0]); };
  const auto report = optimize::taylor_test(noisy, point, gradient(point), direction);
  EXPECT_LT(report.central, 1e-8) << optimize::table(report);
  EXPECT_LT(report.central_doubt, 1e-8) << optimize::table(report);
  EXPECT_GT(report.rows[2].central, 1e-6) << optimize::table(report);
}

TEST(TaylorTest, DoesNotTakeAThirdOrderPartForASecond) {
  // Along this direction the remainder is 1e-2 e + e^3: its average order is 2 somewhere, its local order nowhere.
  const auto cubic = [](std::span<const double> x) { return x[0] + x[0] * x[0] * x[0]; };
  const std::array<double, 1> zero = {0}, one = {1}, wrong = {0.99};
  EXPECT_LT(optimize::taylor_test(cubic, zero, wrong, one).order, 1.9);
}

TEST(TaylorTest, StopsEarlyOnlyForARightGradient) {
  optimize::TaylorSettings settings;
  const auto whole = optimize::taylor_test(f, point, gradient(point), direction, settings).rows.size();
  settings.stop_when_passed = true;
  const auto right = optimize::taylor_test(f, point, gradient(point), direction, settings);
  EXPECT_TRUE(right.passed());
  EXPECT_LT(right.rows.size(), whole);
  auto wrong = gradient(point);
  wrong[0] *= 1.0001;
  EXPECT_EQ(optimize::taylor_test(f, point, wrong, direction, settings).rows.size(), whole);
}

// A loss of size 1 that moves by 1e-11: its roundings leave differences four digits, and hide what is of second order.
TEST(TaylorTest, TellsWhatItCanWhereRoundingsLeaveLittle) {
  const auto faint = [](std::span<const double> x) { return 1 + 1e-10 * std::sin(x[0]); };
  const std::array<double, 1> at = {0.3}, one = {1};
  for (const double factor : {1.0, 1.01, 0.0}) {
    const std::array<double, 1> slope = {factor * 1e-10 * std::cos(0.3) + 1e-30};
    const auto report = optimize::taylor_test(faint, at, slope, one, {.stop_when_passed = true});
    EXPECT_EQ(report.passed(), factor == 1) << optimize::table(report);
    EXPECT_FALSE(report.order_shows);
  }
}

TEST(TaylorTest, GoesFartherWhereLittleHappens) {
  // A quadratic part of 1e-14 e^2 beside a value of 1: at e = 0.1 it is lost, a thousand times farther it is not.
  const auto faint = [](std::span<const double> x) { return 1 + 1e-7 * x[0] + 1e-14 * x[0] * x[0]; };
  const std::array<double, 1> zero = {0}, one = {1}, slope = {1e-7};
  const double distance = optimize::telling_distance(faint, zero, slope, one);
  EXPECT_GE(distance, 1e3);
  EXPECT_EQ(optimize::telling_distance(f, point, gradient(point), direction), 1);
  const auto bounded = [](std::span<const double> x) {
    if (x[0] > 2) fail("out of bounds");
    return 1 + 1e-7 * x[0];
  };
  EXPECT_EQ(optimize::telling_distance(bounded, zero, slope, one), 10);
}

TEST(TaylorTest, BeginsWhereThereIsAValue) {
  const auto walled = [](std::span<const double> x) {
    if (x[0] < 0.98) fail("behind the wall");
    return std::exp(x[0]);
  };
  const std::vector<double> at = {1}, along = {1}, slope = {std::exp(1)}, wrong = {std::exp(1) * 1.001};
  const auto report = optimize::taylor_test(walled, at, slope, along);
  EXPECT_NEAR(report.rows.front().epsilon, 1e-2, 1e-9);
  EXPECT_TRUE(report.passed());
  EXPECT_FALSE(optimize::taylor_test(walled, at, wrong, along).passed());
}

TEST(TaylorTest, RefusesToJudgeWhatShowsNothing) {
  const auto constant = [](std::span<const double>) { return 1.0; };
  const std::array<double, 1> zero = {0}, one = {1};
  EXPECT_THROW(optimize::taylor_test(constant, zero, zero, one), Error);
  const auto infinite = [](std::span<const double> x) { return x[0] > 0 ? INFINITY : 0.0; };
  EXPECT_THROW(optimize::taylor_test(infinite, zero, one, one), Error);
}

}  // namespace
}  // namespace proxima
