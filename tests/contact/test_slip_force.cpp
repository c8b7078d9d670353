// Friction as a function of the slip: what it is, and its derivatives by all that it depends on.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "runtime/contact/slip_force.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::add;
using mesh::cross;
using mesh::dot;
using mesh::minus;
using mesh::norm;
using mesh::scaled;

struct Case {
  FrictionCone cone;
  Vector3 slip{};
};

class SlipForces : public testing::TestWithParam<bool> {
 protected:
  double number() { return value_(random_); }
  Vector3 vector() { return {number(), number(), number()}; }
  static Vector3 unit(const Vector3& v) { return scaled(1 / norm(v), v); }
  Case any() {
    Case result;
    result.cone.normal = unit(vector());
    result.cone.friction = 0.1 + std::abs(number());
    if (GetParam()) {
      result.cone.along = unit(cross(result.cone.normal, vector()));
      result.cone.across = 0.1 + std::abs(number());
    }
    result.slip = vector();
    return result;
  }

 private:
  std::mt19937 random_{11};
  std::uniform_real_distribution<double> value_{-1, 1};
};

// No force of the cone takes more energy from the slip, and it is the one that the projection gives a long way out.
TEST_P(SlipForces, TakesTheMostEnergy) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto [cone, slip] = any();
    const auto found = slip_force(cone, slip);
    EXPECT_NEAR(dot(found.edge, cone.normal), 0, 1e-14);
    const Vector3 a = GetParam() ? cone.along : unit(cross(cone.normal, slip)), o = cross(cone.normal, a);
    const double across = GetParam() ? cone.across : cone.friction;
    for (int k = 0; k < 360; ++k) {
      const double angle = k * std::numbers::pi / 180;
      Vector3 other = scaled(cone.friction * std::cos(angle), a);
      add(other, across * std::sin(angle), o);
      EXPECT_GE(dot(other, slip), dot(found.edge, slip) - 1e-14);
    }
    // A force on the edge less a slip that it answers is projected back to it.
    Vector3 trial = cone.normal;
    add(trial, 1, found.edge);
    const Vector3 force = trial;
    add(trial, -0.7, minus(slip, scaled(dot(slip, cone.normal), cone.normal)));
    EXPECT_LT(norm(minus(project(cone, trial).force, force)), 1e-12);
    EXPECT_EQ(project(cone, trial).state, model::ContactState::slip);
  }
}

TEST_P(SlipForces, DerivativesAreThoseOfDifferences) {
  constexpr double step = 1e-6;
  for (int repeat = 0; repeat < 40; ++repeat) {
    const double relaxed = repeat % 2 == 0 ? 0 : 0.5;
    const auto [cone, slip] = any();
    const Vector3 bar = vector(), by_slip = vector(), by_normal = cross(cone.normal, vector()),
                  by_along = GetParam() ? vector() : Vector3{};
    const double by_friction = number(), by_across = number(), by_relaxed = relaxed > 0 ? number() : 0;
    const auto value = [&, of = cone, at = slip](double t) {
      FrictionCone moved = of;
      Vector3 s = at;
      add(moved.normal, t, by_normal);
      add(moved.along, t, by_along);
      moved.friction += t * by_friction;
      moved.across += t * by_across;
      add(s, t, by_slip);
      return dot(bar, slip_edge(moved, s, relaxed + t * by_relaxed));
    };
    const auto bars = slip_force_pull_back(cone, slip, bar, relaxed);
    const double slope = dot(bars.slip, by_slip) + dot(bars.normal, by_normal) + dot(bars.cone.along, by_along) +
                         bars.cone.friction * by_friction + bars.cone.across * by_across + bars.relaxed * by_relaxed;
    EXPECT_NEAR(slope, (value(step) - value(-step)) / (2 * step), 1e-7 * (1 + std::abs(slope)));
    if (relaxed > 0) continue;
    const auto found = slip_force(cone, slip);
    Vector3 turned = scaled(-found.stiffness * dot(found.tangent, bar), found.tangent);
    EXPECT_LT(norm(minus(bars.slip, turned)), 1e-12 * (1 + norm(bars.slip)));
  }
}

// Where it is relaxed friction falls to 0 with the slip, and is smooth there.
TEST_P(SlipForces, RelaxedAreZeroAtRest) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto [cone, slip] = any();
    EXPECT_EQ(norm(slip_edge(cone, {}, 1e-3)), 0);
    EXPECT_LT(norm(minus(slip_edge(cone, slip, 1e-5), slip_edge(cone, slip))), 1e-4);
    EXPECT_TRUE(std::isfinite(slip_force_pull_back(cone, {}, slip, 1e-3).cone.friction));
  }
}

INSTANTIATE_TEST_SUITE_P(Cones, SlipForces, testing::Bool(), [](const testing::TestParamInfo<bool>& cone) {
  return std::string(cone.param ? "Elliptic" : "Round");
});

}  // namespace
}  // namespace proxima::contact
