// Closest points: on their manifold, nearer than any other point of it, with the right first derivative by the matrix
// and by the manifold's own parameters, at equal, nearly equal and vanishing stretches, and inverted.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "compiler/derive/derive.hpp"
#include "compiler/ir/closest_point.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/ir/loop_builder.hpp"
#include "tests/derive/measures.hpp"
#include "tests/derive/states.hpp"

namespace proxima::test {
namespace {

using ir::Graph;
using ir::NodeId;

// A closest point as a function of `n` entries and `m` parameters, with its adjoint along a given direction.
class Projection {
 public:
  using Maker = std::function<std::vector<NodeId>(Graph&, std::span<const NodeId>, std::span<const NodeId>)>;
  Projection(std::uint32_t n, std::uint32_t m, const Maker& make) : inputs_(n + m) {
    std::vector<NodeId> x, bar;
    for (std::uint32_t k = 0; k < n + m; ++k) x.push_back(graph_.input(k));
    point_ = make(graph_, std::span(x).first(n), std::span(x).last(m));
    ir::Expression sum{&graph_, graph_.constant(0)};
    for (std::uint32_t k = 0; k < point_.size(); ++k)
      sum = sum + ir::Expression{&graph_, graph_.input(n + m + k)} * ir::Expression{&graph_, point_[k]};
    adjoint_ = derive::gradient(graph_, sum.node, x);
  }
  Extended operator()(const Extended& x) const { return ir::evaluate<long double>(graph_, point_, x); }
  Numbers in_double(const Numbers& x) const { return ir::evaluate<double>(graph_, point_, x); }
  Extended adjoint(Extended x, const Extended& bar) const {
    x.insert(x.end(), bar.begin(), bar.end());
    return ir::evaluate<long double>(graph_, adjoint_, x);
  }
  Numbers adjoint_in_double(const Extended& x, const Extended& bar) const {
    Numbers all(x.begin(), x.end());
    all.insert(all.end(), bar.begin(), bar.end());
    return ir::evaluate<double>(graph_, adjoint_, all);
  }
  std::size_t inputs() const { return inputs_; }

 private:
  Graph graph_;
  std::vector<NodeId> point_, adjoint_;
  std::size_t inputs_;
};

// Against central differences along random directions of all operands, in extended precision; and that double agrees.
void expect_right_derivative(const Projection& p, const Extended& x, long double h = 1e-4L) {
  const Extended bar = random_vector(p(x).size(), 41), d = random_vector(x.size(), 42);
  const auto f = [&](long double t) { return dot(p(moved(x, d, t)), bar); };
  const long double slope = dot(p.adjoint(x, bar), d);
  const long double difference = (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
  EXPECT_NEAR(static_cast<double>(slope), static_cast<double>(difference),
              1e-9 * (1 + std::fabs(static_cast<double>(difference))));
  const Extended exact = p.adjoint(x, bar);
  const Numbers rounded = p.adjoint_in_double(x, bar);
  for (std::size_t k = 0; k < exact.size(); ++k)
    EXPECT_NEAR(rounded[k], static_cast<double>(exact[k]), 1e-9 * (1 + std::fabs(static_cast<double>(exact[k]))));
}

struct Stretched {
  std::string name;
  std::array<double, 3> stretches;
};
std::vector<Stretched> stretched() {
  return {{"rest", {1, 1, 1}},
          {"two_equal", {1.3, 1.3, 0.8}},
          {"lower_two_equal", {1.4, 0.7, 0.7}},
          {"gap_1e_9", {1.2, 1.2 - 1e-9, 0.9}},
          {"three_nearly_equal", {1 + 1e-9, 1, 1 - 1e-9}},
          {"general", {1.7, 1.1, 0.4}},
          {"flat", {1.2, 0.9, 0}},
          {"a_line", {1.2, 0, 0}},  // not unique, no derivative: the two small stretches may turn about the line
          {"inverted", {1.2, 0.9, -0.6}},
          {"large", {30, 4, 0.01}}};
}
Extended matrix_of(const Stretched& state, bool turned) {
  const Matrix3 U = turned ? rotation(0.7, 1, 2, 3) : Matrix3::Identity();
  const Matrix3 V = turned ? rotation(-1.1, 3, -1, 1) : Matrix3::Identity();
  const Matrix3 A = U * Eigen::Vector3d(state.stretches[0], state.stretches[1], state.stretches[2]).asDiagonal() * V;
  return {A.data(), A.data() + 9};
}
Extended with(Extended x, std::initializer_list<long double> more) {
  x.insert(x.end(), more);
  return x;
}
long double squared_distance(const Extended& a, const Extended& b) {
  const Extended c = moved(a, b, -1);
  return dot(c, c);
}
long double determinant(const Extended& a) {
  return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) + a[2] * (a[3] * a[7] - a[4] * a[6]);
}

class ClosestPoint : public testing::TestWithParam<Stretched> {};

TEST_P(ClosestPoint, OfGivenDeterminant) {
  const Projection p(9, 1, [](Graph& graph, auto A, auto a) { return ir::closest_with_determinant(graph, A, a[0]); });
  const Extended sigma(GetParam().stretches.begin(), GetParam().stretches.end());
  for (const bool turned : {false, true})
    for (const long double a : {0.6L, 1.0L, 2.5L}) {
      SCOPED_TRACE(a);
      const Extended A = matrix_of(GetParam(), turned), x = with(A, {a});
      const Extended nearest = p(x);
      EXPECT_NEAR(static_cast<double>(determinant(nearest) / a), 1, 1e-15);
      const long double distance = squared_distance(nearest, A);
      // No other stretches of that determinant are nearer, and they are in the order of sigma.
      for (int i = -60; i <= 60; ++i)
        for (int j = -60; j <= 60; ++j) {
          const long double s0 = std::exp(i * 0.08L), s1 = std::exp(j * 0.08L);
          ASSERT_GE(squared_distance({s0, s1, a / (s0 * s1)}, sigma), distance * (1 - 1e-14L) - 1e-30L)
              << s0 << " " << s1;
        }
      if (GetParam().name == "a_line") continue;
      const Numbers rounded = p.in_double(Numbers(x.begin(), x.end()));
      for (std::size_t k = 0; k < 9; ++k)
        EXPECT_NEAR(rounded[k], static_cast<double>(nearest[k]), 1e-14 * (1 + GetParam().stretches[0]));
      expect_right_derivative(p, x);
    }
}

TEST_P(ClosestPoint, OfBoundedStretches) {
  const Projection p(9, 2, [](Graph& graph, auto A, auto bounds) {
    return ir::closest_within_stretches(graph, A, bounds[0], bounds[1]);
  });
  const auto& sigma = GetParam().stretches;
  for (const bool turned : {false, true}) {
    const Extended x = with(matrix_of(GetParam(), turned), {0.85L, 1.25L});
    const Extended nearest = p(x);
    double expected = 0;
    for (const double s : sigma) expected += std::pow(std::clamp(s, 0.85, 1.25) - s, 2);
    EXPECT_NEAR(static_cast<double>(squared_distance(nearest, Extended(x.begin(), x.begin() + 9))), expected,
                1e-13 * (1 + expected));
    if (GetParam().name != "a_line") expect_right_derivative(p, x, 1e-5L);
  }
}

TEST_P(ClosestPoint, OfRotations) {
  const Projection p(9, 0, [](Graph& graph, auto A, auto) { return ir::closest_rotation(graph, A); });
  for (const bool turned : {false, true}) {
    const Extended A = matrix_of(GetParam(), turned), nearest = p(A);
    const auto& s = GetParam().stretches;
    const double expected = std::pow(s[0] - 1, 2) + std::pow(s[1] - 1, 2) + std::pow(s[2] - 1, 2);
    EXPECT_NEAR(static_cast<double>(squared_distance(nearest, A)), expected, 1e-13 * (1 + expected));
    EXPECT_NEAR(static_cast<double>(determinant(nearest)), 1, 1e-15);
    if (GetParam().name != "a_line") expect_right_derivative(p, A);
  }
}

INSTANTIATE_TEST_SUITE_P(Stretches, ClosestPoint, testing::ValuesIn(stretched()),
                         [](const auto& each) { return each.param.name; });

TEST(ClosestPointOfSurfaces, IsThatOfTheirPlane) {
  const Extended F = {1.3L, 0.2L, -0.1L, 0.8L, 0.3L, 0.4L};
  const Projection isometry(6, 0, [](Graph& graph, auto A, auto) { return ir::closest_rotation(graph, A); });
  const Extended R = isometry(F);
  ASSERT_EQ(R.size(), 6u);
  const auto column = [](const Extended& A, std::size_t j) { return Extended{A[j], A[2 + j], A[4 + j]}; };
  EXPECT_NEAR(static_cast<double>(dot(column(R, 0), column(R, 0))), 1, 1e-17);
  EXPECT_NEAR(static_cast<double>(dot(column(R, 1), column(R, 1))), 1, 1e-17);
  EXPECT_NEAR(static_cast<double>(dot(column(R, 0), column(R, 1))), 0, 1e-17);
  // R^T F is symmetric and positive: the condition for the nearest one.
  EXPECT_NEAR(static_cast<double>(dot(column(R, 0), column(F, 1)) - dot(column(R, 1), column(F, 0))), 0, 1e-17);
  EXPECT_GT(dot(column(R, 0), column(F, 0)), 0);
  expect_right_derivative(isometry, F);

  const Projection limited(6, 2, [](Graph& graph, auto A, auto bounds) {
    return ir::closest_within_stretches(graph, A, bounds[0], bounds[1]);
  });
  const Extended x = with(F, {0.95L, 1.1L}), p = limited(x);
  const Eigen::Matrix<double, 3, 2> F2{{1.3, 0.2}, {-0.1, 0.8}, {0.3, 0.4}};
  const Eigen::Vector2d s = F2.jacobiSvd().singularValues();
  EXPECT_NEAR(static_cast<double>(squared_distance(p, F)), std::pow(s[0] - 1.1, 2) + std::pow(s[1] - 0.95, 2), 1e-14);
  expect_right_derivative(limited, x);
}

TEST(ClosestPointOfSpheres, IsAlongTheVector) {
  const Projection p(3, 1, [](Graph& graph, auto x, auto r) { return ir::closest_on_sphere(graph, x, r[0]); });
  const Extended x = {0.3L, -0.4L, 1.2L, 2.6L};
  const Extended nearest = p(x);
  EXPECT_NEAR(static_cast<double>(squared_distance(nearest, {0.6L, -0.8L, 2.4L})), 0, 1e-30);
  expect_right_derivative(p, x);
  EXPECT_EQ(p({0, 0, 0, 2.6L}), (Extended{2.6L, 0, 0}));
}

TEST(ClosestPoint, RefusesOtherSizes) {
  Graph graph;
  const std::vector<NodeId> four(4, graph.input(0));
  EXPECT_THROW(ir::closest_rotation(graph, four), std::logic_error);
  EXPECT_THROW(ir::closest_with_determinant(graph, four, four[0]), std::logic_error);
}

TEST(LoopBuilder, RepeatsPerLaneAndHidesDerivatives) {
  Graph graph;
  const ir::Expression a{&graph, graph.input(0)};
  ir::LoopBuilder loop(graph);
  const ir::Expression x = loop.carry(a), trips = loop.carry(a.constant(0)), inside = loop.capture(a);
  const ir::Expression far = less(1e-12, (x * x - inside).apply(ir::Op::abs));
  const auto after = loop.finish({0.5 * (x + inside / x), trips + 1}, far, 50);
  const NodeId frozen = (a * ir::without_derivative({a * a})[0]).node;
  const std::array outputs = {after[0].node, after[1].node, frozen, derive::gradient(graph, frozen, {&a.node, 1})[0]};
  for (const double value : {1.0, 2.0, 9.0}) {
    const auto result = ir::evaluate<double>(graph, outputs, std::vector{value});
    EXPECT_NEAR(result[0], std::sqrt(value), 1e-12);
    EXPECT_EQ(result[1], value == 1 ? 0 : value == 2 ? 5 : 6);
    EXPECT_EQ(result[2], value * value * value);
    EXPECT_EQ(result[3], value * value);
  }
  ir::LoopBuilder wrong(graph);
  wrong.capture(a);
  EXPECT_THROW(wrong.carry(a), std::logic_error);
}

}  // namespace
}  // namespace proxima::test
