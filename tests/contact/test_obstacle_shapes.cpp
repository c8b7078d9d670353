// Shapes written in the language beside their distances by the nearest point of the solid, and their derivatives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "runtime/contact/distance.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/obstacle_shapes.hpp"
#include "tests/contact/taylor.hpp"

namespace proxima::contact {
namespace {

struct Case {
  const char* name;
  std::vector<std::vector<double>> parameters;
  std::function<Vector3(const Vector3&)> project;  // the nearest point of the solid
  std::function<double(const Vector3&)> depth;     // of a point inside: to the nearest part of the surface
  std::vector<Vector3> singular;                   // where some derivative does not exist
};

double radial(const Vector3& x) { return std::hypot(x[0], x[1]); }

std::vector<Case> cases() {
  return {
      {"half_space",
       {},
       [](const Vector3& x) { return Vector3{x[0], x[1], std::min(x[2], 0.0)}; },
       [](const Vector3& x) { return -x[2]; },
       {{0, 0, 0}}},
      {"box",
       {{0.4}, {0.7}, {0.2}},
       [](const Vector3& x) {
         return Vector3{std::clamp(x[0], -0.4, 0.4), std::clamp(x[1], -0.7, 0.7), std::clamp(x[2], -0.2, 0.2)};
       },
       [](const Vector3& x) { return std::min({0.4 - std::fabs(x[0]), 0.7 - std::fabs(x[1]), 0.2 - std::fabs(x[2])}); },
       {{0, 0, 0}, {0.4, 0.7, 0.2}, {0.4, 0.7, 0}, {0.4, 0, 0}, {0, 0, 0.2}, {0.3, 0.6, 0.1}}},
      {"sphere",
       {{0.6}},
       [](const Vector3& x) { return mesh::scaled(std::min(1.0, 0.6 / mesh::norm(x)), x); },
       [](const Vector3& x) { return 0.6 - mesh::norm(x); },
       {{0, 0, 0}}},
      {"capsule",
       {{0.5}, {0.3}},
       [](const Vector3& x) {
         const Vector3 middle = {0, 0, std::clamp(x[2], -0.5, 0.5)}, arm = mesh::minus(x, middle);
         const double share = std::min(1.0, 0.3 / mesh::norm(arm));
         return Vector3{share * arm[0], share * arm[1], middle[2] + share * arm[2]};
       },
       [](const Vector3& x) { return 0.3 - std::hypot(radial(x), std::max(std::fabs(x[2]) - 0.5, 0.0)); },
       {{0, 0, 0}, {0, 0, 0.5}, {0, 0, 0.2}}},
      {"cylinder",
       {{0.5}, {0.4}},
       [](const Vector3& x) {
         const double share = std::min(1.0, 0.4 / radial(x));
         return Vector3{share * x[0], share * x[1], std::clamp(x[2], -0.5, 0.5)};
       },
       [](const Vector3& x) { return std::min(0.4 - radial(x), 0.5 - std::fabs(x[2])); },
       {{0, 0, 0}, {0, 0, 0.5}, {0, 0, 0.3}, {0, 0, 0.9}, {0.4, 0, 0.5}, {0.4, 0, 0}, {0.3, 0, 0.4}}},
  };
}

class Shapes : public ::testing::TestWithParam<Case> {
 protected:
  std::unique_ptr<Distance> make(std::vector<std::vector<double>> parameters, bool inside = false) {
    auto function = model::obstacle_shape(GetParam().name);
    if (inside) function = model::inside_out(*function);
    return make_distance({"it", model::AnalyticDistance{function, std::move(parameters)}, {{}}}, engine_);
  }
  static std::vector<Vector3> points() {
    std::mt19937 random(5);
    std::vector<Vector3> result(501);
    for (auto& x : result)
      for (double& c : x) c = 2.0 * (static_cast<double>(random()) / 4294967296.0) - 1;
    return result;
  }

  jit::Engine engine_;
};

TEST_P(Shapes, AreTheDistanceToTheNearestPoint) {
  const auto distance = make(GetParam().parameters), container = make(GetParam().parameters, true);
  const auto x = points();
  std::vector<Nearest> found(x.size()), inside(x.size());
  distance->evaluate(x, found);
  container->evaluate(x, inside);
  int within = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const Vector3 nearest = GetParam().project(x[k]), arm = mesh::minus(x[k], nearest);
    const double away = mesh::norm(arm);
    within += away == 0;
    EXPECT_NEAR(found[k].gap, away > 0 ? away : -GetParam().depth(x[k]), 1e-14);
    EXPECT_NEAR(mesh::norm(found[k].normal), 1, 1e-14);
    for (std::size_t i = 0; i < 3 && away > 1e-6; ++i) EXPECT_NEAR(found[k].normal[i], arm[i] / away, 1e-8);
    EXPECT_NEAR(inside[k].gap, -found[k].gap, 1e-15);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(inside[k].normal[i], -found[k].normal[i], 1e-15);
  }
  EXPECT_GT(within, 10);
  EXPECT_LT(within, 490);
}

// Each point by itself, so that one that crosses a place where the shape has a kink does not hide in a sum.
TEST_P(Shapes, PullBacksAreTheDerivatives) {
  const auto all = points();
  for (std::size_t k = 0; k < 40; ++k) {
    const std::vector<Vector3> x = {all[k]};
    const std::vector<Nearest> bars = {{0.7, {-0.4, 1.1, 0.5}}};
    const Vector3 along = {0.6, -0.3, 0.8};
    const auto distance = make(GetParam().parameters);
    std::vector<Vector3> by_point(1);
    std::vector<std::vector<double>> by_parameter(GetParam().parameters.size(), {0.0});
    distance->pull_back(x, bars, by_point, &by_parameter);
    double slope = mesh::dot(by_point[0], along);
    for (std::size_t p = 0; p < by_parameter.size(); ++p)
      slope += 0.3 * static_cast<double>(p + 1) * by_parameter[p][0];
    const auto value = [&](double h) {
      auto parameters = GetParam().parameters;
      for (std::size_t p = 0; p < parameters.size(); ++p) parameters[p][0] += 0.3 * static_cast<double>(p + 1) * h;
      distance->set_values({"it", model::AnalyticDistance{nullptr, parameters}, {{}}});
      const std::vector<Vector3> moved = {{x[0][0] + h * along[0], x[0][1] + h * along[1], x[0][2] + h * along[2]}};
      std::vector<Nearest> found(1);
      distance->evaluate(moved, found);
      return bars[0].gap * found[0].gap + mesh::dot(bars[0].normal, found[0].normal);
    };
    test::expect_slope(value, slope);
    if (HasFailure()) FAIL() << "at point " << k << ": " << x[0][0] << " " << x[0][1] << " " << x[0][2];
  }
}

TEST_P(Shapes, AreFiniteWhereDerivativesDoNotExist) {
  const auto distance = make(GetParam().parameters);
  const auto& x = GetParam().singular;
  std::vector<Nearest> found(x.size());
  distance->evaluate(x, found);
  std::vector<Nearest> bars(x.size(), {1, {0.5, -0.7, 0.3}});
  std::vector<Vector3> by_point(x.size());
  std::vector<std::vector<double>> by_parameter(GetParam().parameters.size(), {0.0});
  distance->pull_back(x, bars, by_point, &by_parameter);
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_NEAR(mesh::norm(found[k].normal), 1, 1e-14) << k;
    for (const double d : by_point[k]) EXPECT_TRUE(std::isfinite(d)) << k;
  }
  for (const auto& d : by_parameter) EXPECT_TRUE(std::isfinite(d[0]));
}

INSTANTIATE_TEST_SUITE_P(All, Shapes, ::testing::ValuesIn(cases()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(ObstacleShapes, AreAllTested) { EXPECT_EQ(model::obstacle_shapes().size(), cases().size()); }

}  // namespace
}  // namespace proxima::contact
