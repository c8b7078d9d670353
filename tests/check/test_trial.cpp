// The Taylor test itself: it passes right slopes, fails wrong ones, and knows a kink when it sees one.
#include <gtest/gtest.h>

#include "compiler/check/trial.hpp"

namespace proxima::check {
namespace {

Trial tried(const std::function<Number(Number)>& f, Number at, Number slope) {
  Trial trial{.kernel = "slope", .of = "function", .strain = {}, .where = {}};
  trial([&](const Values& v) { return f(v.at("x")[0]); }, {{"x", {at}}}, {"x", {1}, slope}, 1, {}, "here");
  return trial;
}

TEST(Trial, PassesARightSlope) {
  EXPECT_NEAR(tried([](Number x) { return std::sin(x); }, 0.7L, std::cos(0.7L)).order, 2, 1e-2);
  EXPECT_EQ(tried([](Number x) { return 3 * x; }, 0.7L, 3).order, 2);  // no remainder but rounding
}

TEST(Trial, FailsAWrongOne) {
  const Trial wrong = tried([](Number x) { return std::sin(x); }, 0.7L, 1.001L * std::cos(0.7L));
  EXPECT_LT(wrong.order, 1.5);
  EXPECT_FALSE(wrong.passed());
  EXPECT_EQ(wrong.kinks, 0);
  EXPECT_FALSE(tried([](Number x) { return std::sin(x); }, 0.7L, 0).passed());    // a derivative that is missing
  EXPECT_FALSE(tried([](Number x) { return std::sin(x); }, 0.7L, NAN).passed());  // or no number
}

TEST(Trial, NaNIsNotForgotten) {
  Trial trial{.kernel = "slope", .of = "function", .strain = {}, .where = {}};
  const auto f = [](const Values& v) { return v.at("x")[0] * v.at("x")[0]; };
  for (const Number slope : {Number(NAN), Number(2)}) trial(f, {{"x", {1}}}, {"x", {1}, slope}, 1, {}, "here");
  EXPECT_EQ(trial.count, 2);
  EXPECT_FALSE(trial.passed());
}

TEST(Trial, TakesOneSideOfAKink) {
  const auto ramp = [](Number x) { return std::max(x, Number(0)) + x * x; };
  for (const Number slope : {0, 1}) EXPECT_NEAR(tried(ramp, 0, slope).order, 2, 1e-6) << slope;
  const Trial neither = tried(ramp, 0, 7);
  EXPECT_EQ(neither.kinks, 1);
  EXPECT_TRUE(neither.passed());
  EXPECT_FALSE(tried(ramp, 1, 7).passed());
}

// As the stiffness of a Hertz contact: the right slope leaves the power that the function itself has.
TEST(Trial, KnowsAPowerBelowTwo) {
  const auto f = [](Number x) { return x + std::pow(std::max(x, Number(0)), 1.7L); };
  const auto both_ways = [&](Number x) { return f(x) + std::pow(std::max(-x, Number(0)), 1.7L); };
  EXPECT_TRUE(tried(both_ways, 0, 1).passed());
  EXPECT_EQ(tried(both_ways, 0, 1).kinks, 1);
  EXPECT_FALSE(tried(both_ways, 0, 1.001L).passed());
}

TEST(Trial, LooksCloserWhereAFunctionBendsWithinLess) {
  const auto smooth = [](Number x) { return std::pow(1e-9L + x * x, 0.75L) + x; };
  EXPECT_TRUE(tried(smooth, 1e-5L, 1 + 1.5e-5L * std::pow(1e-9L + 1e-10L, -0.25L)).passed());
  EXPECT_FALSE(tried(smooth, 1e-5L, 1 + 1.6e-5L * std::pow(1e-9L + 1e-10L, -0.25L)).passed());
}

TEST(Trial, TakesTheSideThatExists) {
  for (const int side : {1, -1}) {
    const auto half = [&](Number x) { return side * x < 0 ? Number(NAN) : std::exp(x); };
    EXPECT_NEAR(tried(half, 0, 1).order, 2, 1e-2) << side;
    EXPECT_FALSE(tried(half, 0, 1.001L).passed()) << side;
  }
}

}  // namespace
}  // namespace proxima::check
