#include <gtest/gtest.h>

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
    const auto found = closest_in_triangle(p, corners);
    EXPECT_NEAR(found[0] + found[1] + found[2], 1, 1e-14);
    for (const double share : found) EXPECT_GE(share, -1e-15);
    constexpr int grid = 40;
    double least = INFINITY;
    for (int i = 0; i <= grid; ++i)
      for (int j = 0; i + j <= grid; ++j) {
        const double b = static_cast<double>(i) / grid, c = static_cast<double>(j) / grid;
        least = std::min(least, distance(p, corners, {1 - b - c, b, c}));
      }
    const double best = distance(p, corners, found);
    EXPECT_LE(best, least + 1e-12) << k;
    EXPECT_GE(best, least - 3.5 / grid) << k;
  }
}

TEST(ClosestPoint, HasTheSharesOfAPointOnTheTriangle) {
  const std::array<Vector3, 3> corners = {Vector3{0, 0, 0}, Vector3{2, 0, 0}, Vector3{0, 3, 0}};
  const auto found = closest_in_triangle({0.4, 0.9, 5}, corners);
  EXPECT_NEAR(found[1], 0.2, 1e-15);
  EXPECT_NEAR(found[2], 0.3, 1e-15);
}

}  // namespace
}  // namespace proxima::mesh
