// Obstacles by heights, by sampled distances and by triangles, beside closed forms and brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "runtime/contact/distance.hpp"
#include "runtime/mesh/vectors.hpp"
#include "tests/contact/taylor.hpp"

namespace proxima::contact {
namespace {

using mesh::dot;
using mesh::minus;
using mesh::norm;
using mesh::scaled;

std::vector<Vector3> random_points(std::size_t count, const Vector3& lower, const Vector3& upper, unsigned seed = 5) {
  std::mt19937 random(seed);
  std::vector<Vector3> result(count);
  for (auto& x : result)
    for (std::size_t i = 0; i < 3; ++i)
      x[i] = lower[i] + (upper[i] - lower[i]) * static_cast<double>(random()) / 4294967296.0;
  return result;
}

Nearest at(const Distance& distance, const Vector3& x) {
  std::vector<Nearest> found(1);
  distance.evaluate(std::vector{x}, found);
  return found[0];
}

// At each point by itself, so that one that crosses a kink does not hide in a sum.
void expect_derivatives(const Distance& distance, const std::vector<Vector3>& points) {
  const std::vector<Nearest> bars = {{0.7, {-0.4, 1.1, 0.5}}};
  const Vector3 along = {0.6, -0.3, 0.8};
  for (const auto& x : points) {
    std::vector<Vector3> by_point(1);
    distance.pull_back(std::vector{x}, bars, by_point, nullptr);
    test::expect_slope(
        [&](double h) {
          const auto found = at(distance, {x[0] + h * along[0], x[1] + h * along[1], x[2] + h * along[2]});
          return bars[0].gap * found.gap + dot(bars[0].normal, found.normal);
        },
        dot(by_point[0], along), 1e-5);
    if (testing::Test::HasFailure()) FAIL() << "at " << x[0] << " " << x[1] << " " << x[2];
  }
}

class DataShapes : public ::testing::Test {
 protected:
  std::unique_ptr<Distance> make(decltype(model::Obstacle::shape) shape) {
    return make_distance({"it", std::move(shape), {{}}}, engine_);
  }
  jit::Engine engine_;
};

model::HeightField field(int n, int m, double (*height)(double x, double y)) {
  model::HeightField result{{n, m}, {-1, -0.5}, {2.0 / (n - 1), 1.0 / (m - 1)}, {}};
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i)
      result.heights.push_back(
          height(result.lower[0] + i * result.spacing[0], result.lower[1] + j * result.spacing[1]));
  return result;
}

TEST_F(DataShapes, HeightsOnAPlaneAreThatPlaneEverywhere) {
  const auto distance = make(field(5, 2, [](double x, double y) { return 0.1 + 0.5 * x - 0.3 * y; }));
  const Vector3 normal = scaled(1 / norm({-0.5, 0.3, 1}), {-0.5, 0.3, 1});
  for (const auto& x : random_points(200, {-3, -3, -1}, {3, 3, 1})) {
    const auto found = at(*distance, x);
    EXPECT_NEAR(found.gap, dot(normal, minus(x, {0, 0, 0.1})), 1e-14);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found.normal[i], normal[i], 1e-14);
  }
}

double waves(double x, double y) { return 0.2 * std::sin(3 * x + 0.2) * std::cos(2 * y); }

// Above a point of the ground by d along its normal the gap is d up to the second order of d.
TEST_F(DataShapes, HeightsAreTheDistanceNearTheGround) {
  const auto distance = make(field(81, 41, waves));
  for (const auto& foot : random_points(50, {-0.8, -0.4, 0}, {0.8, 0.4, 0})) {
    const double x = foot[0], y = foot[1];
    const Vector3 slope = {-0.6 * std::cos(3 * x + 0.2) * std::cos(2 * y),
                           0.4 * std::sin(3 * x + 0.2) * std::sin(2 * y), 1};
    const Vector3 normal = scaled(1 / norm(slope), slope);
    for (const double d : {-1e-3, 0.0, 1e-3}) {
      const auto found = at(*distance, {x + d * normal[0], y + d * normal[1], waves(x, y) + d * normal[2]});
      EXPECT_NEAR(found.gap, d, 1e-5);
      EXPECT_NEAR(norm(found.normal), 1, 1e-14);
      EXPECT_NEAR(dot(found.normal, normal), 1, 1e-4);
    }
  }
}

TEST_F(DataShapes, HeightsHaveDerivatives) {
  const auto distance = make(field(9, 7, waves));
  expect_derivatives(*distance, random_points(40, {-0.95, -0.45, -0.3}, {0.95, 0.45, 0.3}));
  expect_derivatives(*distance, {{1.3, 0.2, 0.1}, {-0.3, -0.9, 0.2}, {2, 2, -0.1}});
}

// Gap and normal do not jump from cell to cell, nor at the border.
TEST_F(DataShapes, HeightsAreSmoothAcrossCells) {
  const auto distance = make(field(9, 7, waves));
  for (const double x : {-1.0, -0.5, 0.25, 1.0})
    for (const double y : {-0.5, 1.0 / 6, 0.5, 0.1}) {
      const auto before = at(*distance, {x - 1e-9, y - 1e-9, 0.2}), after = at(*distance, {x + 1e-9, y + 1e-9, 0.2});
      EXPECT_NEAR(before.gap, after.gap, 1e-8);
      EXPECT_LT(norm(minus(before.normal, after.normal)), 1e-7) << x << " " << y;
    }
}

model::DistanceGrid ball_grid(int n) {
  model::DistanceGrid grid{{n, n, n}, {-1, -1, -1}, {}, {}};
  grid.spacing.fill(2.0 / (n - 1));
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        grid.distance.push_back(norm({-1 + i * grid.spacing[0], -1 + j * grid.spacing[1], -1 + k * grid.spacing[2]}) -
                                0.6);
  return grid;
}

TEST_F(DataShapes, SampledDistancesOfABallAreThatBall) {
  std::vector<double> worst;
  for (const int n : {21, 41}) {
    const auto distance = make(ball_grid(n));
    worst.push_back(0);
    for (const auto& x : random_points(200, {-0.9, -0.9, -0.9}, {0.9, 0.9, 0.9})) {
      const double r = norm(x);
      if (r < 0.4) continue;
      const auto found = at(*distance, x);
      worst.back() = std::max(worst.back(), std::abs(found.gap - (r - 0.6)));
      EXPECT_GT(dot(found.normal, x) / r, 1 - 1e-4);
    }
  }
  EXPECT_LT(worst[1], 5e-4);
  EXPECT_GT(worst[0] / worst[1], 3);  // second order away from the surface, since the slope is
}

TEST_F(DataShapes, SampledDistancesHaveDerivativesInTheGridAndBeyond) {
  const auto distance = make(ball_grid(11));
  expect_derivatives(*distance, random_points(30, {-0.95, -0.95, 0.35}, {0.95, 0.95, 0.95}));
  expect_derivatives(*distance, {{1.5, 0.27, 0.13}, {-0.31, 1.4, -1.7}, {1.3, 1.2, 1.9}});
  for (const auto& x : random_points(100, {1, -4, -4}, {5, 4, 4})) EXPECT_GT(at(*distance, x).gap, 0);
}

// A block of cubes with a corner taken out: it has edges and corners of every kind.
model::ClosedSurface notched_block() {
  auto mesh = mesh::make_box({2, 2, 2}, {-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
  auto& tets = mesh.blocks[0].elements;
  std::vector<std::int32_t> kept;
  for (std::size_t t = 0; t < tets.count(); ++t) {
    Vector3 centre{};
    for (const auto node : tets.of(t))
      for (std::size_t i = 0; i < 3; ++i) centre[i] += mesh.nodes[static_cast<std::size_t>(node)][i] / 4;
    if (std::min({centre[0], centre[1], centre[2]}) < 0) kept.insert(kept.end(), tets.of(t).begin(), tets.of(t).end());
  }
  tets.nodes = kept;
  const auto triangles = mesh::boundary_triangles(mesh);
  model::ClosedSurface result{mesh.nodes, {}};
  for (std::size_t t = 0; t < triangles.count(); ++t)
    result.triangles.push_back({triangles.of(t)[0], triangles.of(t)[1], triangles.of(t)[2]});
  return result;
}

// The block is a union of boxes, so its distance outside is the least of theirs; inside the distance to its surface is
// found by looking at all triangles. The side is told by the solid angle under which the surface is seen.
double brute_force(const model::ClosedSurface& surface, const Vector3& x) {
  double least = std::numeric_limits<double>::infinity(), angle = 0;
  for (const auto& triangle : surface.triangles) {
    Vector3 a, b, c;
    for (std::size_t i = 0; i < 3; ++i) {
      a[i] = surface.nodes[static_cast<std::size_t>(triangle[0])][i] - x[i];
      b[i] = surface.nodes[static_cast<std::size_t>(triangle[1])][i] - x[i];
      c[i] = surface.nodes[static_cast<std::size_t>(triangle[2])][i] - x[i];
    }
    const double la = norm(a), lb = norm(b), lc = norm(c);
    angle +=
        2 * std::atan2(mesh::triple_product(a, b, c), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    for (const auto& [p, q] : {std::pair{a, b}, {b, c}, {c, a}}) {
      const Vector3 edge = minus(q, p);
      const double t = std::clamp(-dot(p, edge) / dot(edge, edge), 0.0, 1.0);
      least = std::min(least, norm({p[0] + t * edge[0], p[1] + t * edge[1], p[2] + t * edge[2]}));
    }
    const Vector3 normal = mesh::cross(minus(b, a), minus(c, a));
    const Vector3 foot = scaled(dot(a, normal) / dot(normal, normal), normal);
    const bool over = dot(mesh::cross(minus(b, a), minus(foot, a)), normal) >= 0 &&
                      dot(mesh::cross(minus(c, b), minus(foot, b)), normal) >= 0 &&
                      dot(mesh::cross(minus(a, c), minus(foot, c)), normal) >= 0;
    if (over) least = std::min(least, norm(foot));
  }
  return angle > 2 * 3.14159 ? -least : least;
}

TEST_F(DataShapes, SurfacesAreTheDistanceToTheNearestTriangle) {
  const auto surface = notched_block();
  const auto distance = make(surface);
  int inside = 0;
  for (const auto& x : random_points(2000, {-1, -1, -1}, {1, 1, 1})) {
    const auto found = at(*distance, x);
    EXPECT_NEAR(found.gap, brute_force(surface, x), 1e-14);
    EXPECT_NEAR(norm(found.normal), 1, 1e-14);
    // Back along the normal by the gap is the surface.
    EXPECT_NEAR(brute_force(surface, minus(x, scaled(found.gap, found.normal))), 0, 1e-13);
    inside += found.gap < 0;
  }
  EXPECT_GT(inside, 100);
}

TEST_F(DataShapes, SurfacesHaveDerivatives) {
  expect_derivatives(*make(notched_block()), random_points(60, {-0.8, -0.8, -0.8}, {0.8, 0.8, 0.8}, 7));
}

TEST_F(DataShapes, SurfacesHaveANormalOnTheirEdgesAndCorners) {
  const auto distance = make(notched_block());
  for (const Vector3& x :
       std::vector<Vector3>{{-0.5, -0.5, -0.5}, {-0.5, -0.5, 0.1}, {0, 0, 0}, {0, 0, 0.3}, {0.5, 0, 0}}) {
    const auto found = at(*distance, x);
    EXPECT_EQ(found.gap, 0);
    EXPECT_NEAR(norm(found.normal), 1, 1e-14);
    std::vector<Vector3> by_point(1);
    distance->pull_back(std::vector{x}, std::vector<Nearest>{{1, {1, 2, 3}}}, by_point, nullptr);
    for (const double d : by_point[0]) EXPECT_TRUE(std::isfinite(d));
  }
  const auto diagonal = at(*distance, {-0.6, -0.6, -0.6}).normal;
  for (const double n : diagonal) EXPECT_NEAR(n, -1 / std::sqrt(3), 1e-14);
}

}  // namespace
}  // namespace proxima::contact
