#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "runtime/mesh/closest_point.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::mesh {
namespace {

double distance(const Vector3& p, const std::array<Vector3, 3>& corners, const std::array<double, 3>& share) {
  Vector3 away = p;
  for (std::size_t k = 0; k < 3; ++k) add(away, -share[k], corners[k]);
  return norm(away);
}

// No point of a fine grid over the triangle is nearer, also of a thin one and of one without area.
TEST(ClosestPoint, IsNearerThanAnyOther) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> value(-1, 1);
  const auto point = [&] { return Vector3{value(random), value(random), value(random)}; };
  for (int k = 0; k < 300; ++k) {
    std::array<Vector3, 3> corners = {point(), point(), point()};
    if (k % 3 == 1)
      corners[2] =
          scaled(0.5, {corners[0][0] + corners[1][0], corners[0][1] + corners[1][1], corners[0][2] + corners[1][2]});
    if (k % 30 == 2) corners[1] = corners[2] = corners[0];
    const Vector3 p = point();
    const auto [found, whole, above] = closest_in_triangle(p, corners);
    EXPECT_NEAR(found[0] + found[1] + found[2], 1, 1e-14);
    for (const double share : found) EXPECT_GE(share, 0);
    EXPECT_TRUE(above || std::ranges::count(found, 0.0) > 0) << "on a side";
    constexpr int grid = 40;
    double least = INFINITY;
    for (int i = 0; i <= grid; ++i)
      for (int j = 0; i + j <= grid; ++j) {
        const double b = static_cast<double>(i) / grid, c = static_cast<double>(j) / grid;
        least = std::min(least, distance(p, corners, {1 - b - c, b, c}));
      }
    const double best = distance(p, corners, found);
    EXPECT_NEAR(whole, best, 1e-12);
    EXPECT_LE(best, least + 1e-12) << k;
    EXPECT_GE(best, least - 3.5 / grid) << k;
  }
}

TEST(ClosestPoint, HasTheSharesOfAPointOnTheTriangle) {
  const std::array<Vector3, 3> corners = {Vector3{0, 0, 0}, Vector3{2, 0, 0}, Vector3{0, 3, 0}};
  const auto found = closest_in_triangle({0.4, 0.9, 5}, corners);
  EXPECT_NEAR(found.shares[1], 0.2, 1e-15);
  EXPECT_NEAR(found.shares[2], 0.3, 1e-15);
  EXPECT_EQ(found.distance, 5);
  EXPECT_TRUE(found.above);
}

// A point above a side is above the triangle; one beside it is not.
TEST(ClosestPoint, SaysWhetherThePointIsAbove) {
  const std::array<Vector3, 3> corners = {Vector3{0, 0, 0}, Vector3{2, 0, 0}, Vector3{0, 3, 0}};
  const auto on = closest_in_triangle({0.5, 0, 1}, corners);
  EXPECT_TRUE(on.above);
  EXPECT_EQ(on.shares, (std::array<double, 3>{0.75, 0.25, 0}));
  const auto beside = closest_in_triangle({0.5, -1, 0}, corners);
  EXPECT_FALSE(beside.above);
  EXPECT_EQ(beside.shares, (std::array<double, 3>{0.75, 0.25, 0}));
  EXPECT_EQ(beside.distance, 1);
}

}  // namespace
}  // namespace proxima::mesh
