// Round and elliptic friction cones: the nearest force against a search, and how it turns against differences.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "runtime/contact/friction_cone.hpp"
#include "runtime/contact/matchstick.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::cross;
using mesh::dot;
using mesh::minus;
using mesh::norm;
using mesh::scaled;
using model::ContactState;

class Random {
 public:
  double number() { return value_(random_); }
  Vector3 vector() { return {number(), number(), number()}; }
  Vector3 unit(const Vector3& v) { return scaled(1 / norm(v), v); }
  FrictionCone cone(double along, double across) {
    const Vector3 normal = unit(vector());
    return {.normal = normal, .friction = along, .along = unit(cross(normal, vector())), .across = across};
  }
  // A trial force that is pressed.
  Vector3 trial(const FrictionCone& cone) {
    Vector3 t = scaled(3, vector());
    if (dot(t, cone.normal) < 0) t = scaled(-1, t);
    return t;
  }

 private:
  std::mt19937 random_{3};
  std::uniform_real_distribution<double> value_{-1, 1};
};

TEST(FrictionCone, EllipticForcesAreTheNearest) {
  Random random;
  int slipping = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const FrictionCone cone = random.cone(0.05 + std::abs(random.number()), 0.05 + std::abs(random.number()));
    const Vector3 t = random.trial(cone), other = cross(cone.normal, cone.along);
    const Projected found = project(cone, t);
    const double pressed = dot(t, cone.normal);
    EXPECT_NEAR(dot(found.force, cone.normal), pressed, 1e-14);
    const double x = dot(found.force, cone.along) / (cone.friction * pressed),
                 y = dot(found.force, other) / (cone.across * pressed);
    if (found.state == ContactState::stick) {
      EXPECT_EQ(found.force, t);
      EXPECT_LE(std::hypot(x, y), 1 + 1e-14);
      continue;
    }
    ++slipping;
    EXPECT_NEAR(std::hypot(x, y), 1, 1e-12);
    const double distance = norm(minus(t, found.force));
    for (int k = 0; k < 3600; ++k) {
      const double angle = k * std::numbers::pi / 1800;
      Vector3 edge = scaled(pressed, cone.normal);
      for (std::size_t i = 0; i < 3; ++i)
        edge[i] +=
            pressed * (cone.friction * std::cos(angle) * cone.along[i] + cone.across * std::sin(angle) * other[i]);
      EXPECT_GE(norm(minus(t, edge)), distance * (1 - 1e-12));
    }
  }
  EXPECT_GT(slipping, 50);
}

TEST(FrictionCone, OfEqualCoefficientsIsRound) {
  Random random;
  for (int repeat = 0; repeat < 50; ++repeat) {
    const FrictionCone cone = random.cone(0.4, 0.4);
    const FrictionCone round{.normal = cone.normal, .friction = 0.4};
    const Vector3 t = random.trial(cone);
    EXPECT_EQ(project(cone, t).state, project(round, t).state);
    EXPECT_LT(norm(minus(project(cone, t).force, project(round, t).force)), 1e-13);
    if (project(cone, t).state != ContactState::slip) continue;
    const SlipDirection a = slip_direction(cone, t), b = slip_direction(round, t);
    EXPECT_LT(norm(minus(a.edge, b.edge)), 1e-12);
    EXPECT_NEAR(std::abs(dot(a.tangent, b.tangent)), 1, 1e-12);
    EXPECT_NEAR(a.turn, b.turn, 1e-12);
  }
}

// The nearest force moves by `turn` along the edge's tangent when t moves along it, and not at all when t moves
// outward.
TEST(FrictionCone, TurnsAsDifferencesSay) {
  Random random;
  int slipping = 0;
  for (int repeat = 0; repeat < 100; ++repeat) {
    FrictionCone cone = random.cone(0.2 + std::abs(random.number()), 0.2 + std::abs(random.number()));
    if (repeat % 3 == 0) cone.along = {};
    const Vector3 t = random.trial(cone);
    if (project(cone, t).state != ContactState::slip) continue;
    const SlipDirection at = slip_direction(cone, t);
    const Vector3 outward = cross(at.tangent, cone.normal);
    const double pressed = dot(t, cone.normal);
    if (norm(minus(t, project(cone, t).force)) < 1e-2) continue;  // the other side of the edge is too near
    ++slipping;
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(project(cone, t).force[i], pressed * (cone.normal[i] + at.edge[i]), 1e-13);
    const auto slope = [&](const Vector3& direction, double h) {
      Vector3 up = t, down = t;
      for (std::size_t i = 0; i < 3; ++i) up[i] += h * direction[i], down[i] -= h * direction[i];
      return scaled(1 / (2 * h), minus(project(cone, up).force, project(cone, down).force));
    };
    const double h = 1e-4;
    EXPECT_LT(norm(minus(slope(at.tangent, h), scaled(at.turn, at.tangent))), 1e-4);
    EXPECT_LT(norm(slope(outward, h)), 1e-4);
    const double coarse = norm(minus(slope(at.tangent, 2 * h), scaled(at.turn, at.tangent)));
    const double fine = norm(minus(slope(at.tangent, h), scaled(at.turn, at.tangent)));
    EXPECT_TRUE(fine < 1e-9 || coarse / fine > 3.5) << coarse << " then " << fine;
  }
  EXPECT_GT(slipping, 20);
}

TEST(FrictionCone, HasItsLimits) {
  const Vector3 n{0, 0, 1}, t{3, 4, 2};
  EXPECT_EQ(project({.normal = n, .friction = 0}, t).force, (Vector3{0, 0, 2}));
  EXPECT_EQ(project({.normal = n, .friction = 0}, {0, 0, 2}).state, ContactState::slip);  // nothing holds it
  EXPECT_EQ(project({.normal = n, .friction = std::numeric_limits<double>::infinity()}, t).force, t);
  EXPECT_EQ(project({.normal = n, .friction = 0.5}, {3, 4, -2}).state, ContactState::open);
  EXPECT_EQ(project({.normal = n, .friction = 0.5}, {3, 4, 0}).state, ContactState::open);
}

TEST(FrictionCone, OfMatchsticksFollowsTheirAngle) {
  const Vector3 n{0, 0, 1};
  const FrictionCone parallel = matchstick(n, {2, 0, 5}, {-1, 0, 0.3}, {0.8, 0.2, 0.4});  // parts along n do not count
  EXPECT_NEAR(std::abs(parallel.along[0]), 1, 1e-15);
  EXPECT_NEAR(parallel.friction, 0.8, 1e-15);
  EXPECT_NEAR(parallel.across, 0.2, 1e-15);
  const FrictionCone crossed = matchstick(n, {1, 0, 0}, {0, 1, 0}, {0.8, 0.2, 0.4});
  EXPECT_NEAR(crossed.friction, 0.4, 1e-15);
  EXPECT_NEAR(crossed.across, 0.4, 1e-15);
  const double angle = std::numbers::pi / 8;
  for (const double sign : {1.0, -1.0}) {
    const FrictionCone between =
        matchstick(n, {1, 0, 0}, {sign * std::cos(2 * angle), sign * std::sin(2 * angle), 0}, {0.8, 0.2, 0.4});
    EXPECT_NEAR(between.friction, 0.6, 1e-15);
    EXPECT_NEAR(between.across, 0.3, 1e-15);
    EXPECT_NEAR(between.along[0], std::cos(angle), 1e-15);
    EXPECT_NEAR(between.along[1], std::sin(angle), 1e-15);
  }
}

TEST(FrictionCone, OfMatchsticksHasTheDerivativesOfDifferences) {
  Random random;
  constexpr double step = 1e-6;
  for (int repeat = 0; repeat < 40; ++repeat) {
    const Vector3 normal = random.unit(random.vector()), first = random.vector(), second = random.vector();
    const Coefficients law{0.8, 0.2, 0.4};
    const Vector3 by_normal = cross(normal, random.vector()), by_first = random.vector(), by_second = random.vector();
    const Coefficients by_law{random.number(), random.number(), random.number()};
    const ConeBars bars{random.number(), random.number(), random.vector()};
    const auto value = [&](double t) {
      const auto moved = [&](Vector3 v, const Vector3& by) {
        mesh::add(v, t, by);
        return v;
      };
      const auto cone =
          matchstick(moved(normal, by_normal), moved(first, by_first), moved(second, by_second),
                     {law.along + t * by_law.along, law.across + t * by_law.across, law.crossed + t * by_law.crossed});
      return bars.friction * cone.friction + bars.across * cone.across + dot(bars.along, cone.along);
    };
    Vector3 of_normal{}, of_first{}, of_second{};
    const auto of_law = matchstick_pull_back(normal, first, second, law, bars, of_normal, of_first, of_second);
    const double slope = dot(of_normal, by_normal) + dot(of_first, by_first) + dot(of_second, by_second) +
                         of_law.along * by_law.along + of_law.across * by_law.across + of_law.crossed * by_law.crossed;
    EXPECT_NEAR(slope, (value(step) - value(-step)) / (2 * step), 1e-6 * (1 + std::abs(slope)));
  }
}

}  // namespace
}  // namespace proxima::contact
