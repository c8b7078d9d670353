// The interpreter's own decompositions: they reproduce the matrix, are orthogonal, ordered and signed as promised, for
// matrices of every rank and with equal singular values.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <vector>

#include "compiler/ir/expression.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::ir {
namespace {

using Matrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using Map = Eigen::Map<const Matrix3>;
using Vector3 = Eigen::Vector3d;
constexpr double tolerance = 2e-15;

Matrix3 rotation(double x, double y, double z) {
  const Vector3 axis(x, y, z);
  return Eigen::AngleAxisd(axis.norm(), axis.normalized()).toRotationMatrix();
}

std::vector<Matrix3> matrices() {
  const Matrix3 R = rotation(1, -0.3, 0.7), Q = rotation(-0.4, 2, 0.1);
  std::vector<Matrix3> result = {Matrix3::Identity(), Matrix3::Zero(), R, -R};
  const std::array<Vector3, 12> stretches = {{{2, 1, 0.5},
                                              {1, 1, 0.5},
                                              {2, 1, 1},
                                              {1, 1 - 1e-9, 1 - 2e-9},
                                              {1, 1, 1 - 1e-9},
                                              {3, 2, 0},
                                              {3, 0, 0},
                                              {2, 1, -0.5},
                                              {1, 1, -1},
                                              {1e150, 1, 1e-150},
                                              {1e-160, 2e-160, 3e-160},
                                              {1e8, 1e-8, -1e-8}}};
  for (const Vector3& s : stretches) {
    result.push_back(R * s.asDiagonal() * Q);
    result.push_back(s.asDiagonal());
  }
  return result;
}

// All parts of a composite operator of these numbers.
std::vector<double> parts_of(Op op, const std::vector<double>& x) {
  Graph graph;
  std::vector<NodeId> operands;
  for (std::uint32_t k = 0; k < x.size(); ++k) operands.push_back(graph.input(k));
  const NodeId bundle = graph.apply(op, operands);
  std::vector<NodeId> parts;
  for (std::uint32_t k = 0; k < graph.parts(bundle); ++k) parts.push_back(graph.part(bundle, k));
  return evaluate<double>(graph, parts, x);
}

std::vector<double> flat(const Matrix3& a) { return {a.data(), a.data() + 9}; }

TEST(Spectral, SingularValueDecompositionReproducesTheMatrix) {
  for (const Matrix3& A : matrices()) {
    SCOPED_TRACE(testing::Message() << "\n" << A);
    const auto parts = parts_of(Op::svd, flat(A));
    const Vector3 s(parts[0], parts[1], parts[2]);
    const Map U(&parts[3]), V(&parts[12]);
    const double size = A.lpNorm<Eigen::Infinity>() > 0 ? A.cwiseAbs().maxCoeff() : 1;
    EXPECT_LE((U * (s / size).asDiagonal() * V.transpose() - A / size).norm(), tolerance);
    EXPECT_LE((U.transpose() * U - Matrix3::Identity()).norm(), tolerance);
    EXPECT_LE((V.transpose() * V - Matrix3::Identity()).norm(), tolerance);
    EXPECT_NEAR(U.determinant(), 1, tolerance);
    EXPECT_NEAR(V.determinant(), 1, tolerance);
    EXPECT_GE(s[0], s[1]);
    EXPECT_GE(s[1], std::fabs(s[2]) * (1 - tolerance));
    const Matrix3 scaled = A / size;
    if (std::fabs(scaled.determinant()) > 1e-12) {
      EXPECT_EQ(s[2] < 0, scaled.determinant() < 0);
    }
  }
}

TEST(Spectral, PolarRotationIsTheNearestOne) {
  for (const Matrix3& A : matrices()) {
    SCOPED_TRACE(testing::Message() << "\n" << A);
    const auto parts = parts_of(Op::polar, flat(A));
    const Map R(parts.data());
    EXPECT_LE((R.transpose() * R - Matrix3::Identity()).norm(), tolerance);
    EXPECT_NEAR(R.determinant(), 1, tolerance);
    const double size = A.cwiseAbs().maxCoeff() > 0 ? A.cwiseAbs().maxCoeff() : 1;
    const double overlap = (R.transpose() * (A / size)).trace();  // the nearest rotation makes it largest
    for (double angle : {1e-4, 0.3, 2.0})
      for (const Vector3& axis : {Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(1, -2, 0.5)}) {
        const Matrix3 turn = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
        EXPECT_LE(((turn * R).transpose() * (A / size)).trace(), overlap + tolerance);
      }
  }
}

TEST(Spectral, EigendecompositionReproducesTheMatrix) {
  for (const Matrix3& A : matrices()) {
    const double size = A.cwiseAbs().maxCoeff() > 0 ? A.cwiseAbs().maxCoeff() : 1;
    for (const Matrix3& S : {Matrix3(A + A.transpose()), Matrix3(A / size * (A / size).transpose())}) {
      SCOPED_TRACE(testing::Message() << "\n" << S);
      const auto parts = parts_of(Op::eigen, {S(0, 0), S(0, 1), S(0, 2), S(1, 1), S(1, 2), S(2, 2)});
      const Vector3 l(parts[0], parts[1], parts[2]);
      const Map Q(&parts[3]);
      const double scale = S.cwiseAbs().maxCoeff() > 0 ? S.cwiseAbs().maxCoeff() : 1;
      EXPECT_LE((Q * (l / scale).asDiagonal() * Q.transpose() - S / scale).norm(), tolerance);
      EXPECT_LE((Q.transpose() * Q - Matrix3::Identity()).norm(), tolerance);
      EXPECT_NEAR(Q.determinant(), 1, tolerance);
      EXPECT_TRUE(l[0] >= l[1] && l[1] >= l[2]);
      const Vector3 expected = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(S / scale).eigenvalues().reverse();
      EXPECT_LE((l / scale - expected).norm(), 4 * tolerance);
    }
  }
}

TEST(Spectral, ComposingUsesTheGivenValues) {
  const Matrix3 A = matrices()[4];
  Graph graph;
  std::vector<NodeId> a;
  for (std::uint32_t k = 0; k < 9; ++k) a.push_back(graph.input(k));
  const NodeId svd = graph.apply(Op::svd, a);
  std::vector<NodeId> operands = {svd};
  for (double s : {5.0, 3.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}) operands.push_back(graph.constant(s));
  const NodeId composed = graph.apply(Op::svd_compose, operands);
  std::vector<NodeId> results;
  for (std::uint32_t k = 0; k < 9; ++k) results.push_back(graph.part(composed, k));
  for (std::uint32_t k = 0; k < 21; ++k) results.push_back(graph.part(svd, k));
  const auto values = evaluate<double>(graph, results, flat(A));
  const Matrix3 expected = Map(&values[12]) * Vector3(5, 3, -2).asDiagonal() * Map(&values[21]).transpose();
  EXPECT_LE((Map(values.data()) - expected).norm(), 5 * tolerance);
}

TEST(Spectral, EntriesThatAreNotFiniteGiveNaN) {
  std::vector<double> x(9, 1);
  x[4] = std::numeric_limits<double>::infinity();
  for (Op op : {Op::svd, Op::polar})
    for (double part : parts_of(op, x)) EXPECT_TRUE(std::isnan(part));
  for (double part : parts_of(Op::eigen, {1, 2, 3, std::nan(""), 0, 1})) EXPECT_TRUE(std::isnan(part));
}

// The loop freezes where its condition fails, and the innermost value is what the outer loop carries.
TEST(Loop, StopsByItsConditionAndNests) {
  const auto inner = std::make_shared<Graph>();
  const Expression v{inner.get(), inner->input(0)}, step{inner.get(), inner->input(1)};
  const Loop adds{.body = inner, .next = {(v + step).node}, .again = less(v, 10.0).node, .max_trips = 100};
  const auto outer = std::make_shared<Graph>();
  const Expression x{outer.get(), outer->input(0)}, count{outer.get(), outer->input(1)};
  const NodeId ran = outer->part(outer->loop(adds, std::array{outer->constant(0), x.node}), 0);
  const Loop loop{.body = outer,
                  .next = {(x + Expression{outer.get(), ran}).node, (count + 1.0).node},
                  .again = less(count, 3.0).node,
                  .max_trips = 100};
  Graph graph;
  const NodeId bundle = graph.loop(loop, std::array{graph.input(0), graph.constant(0)});
  const std::vector<NodeId> results = {graph.part(bundle, 0), graph.part(bundle, 1)};
  const auto values = evaluate<double>(graph, results, std::array{3.0});
  double expected = 3;
  for (int trip = 0; trip < 3; ++trip) {
    double sum = 0;
    while (sum < 10) sum += expected;
    expected += sum;
  }
  EXPECT_EQ(values[0], expected);
  EXPECT_EQ(values[1], 3);
}

TEST(Loop, EqualBodiesAreOneNode) {
  Graph graph;
  const auto build = [&] {
    const auto body = std::make_shared<Graph>();
    const Expression x{body.get(), body->input(0)};
    const Loop loop{.body = body, .next = {(x * x).node}, .again = less(x, 7.0).node, .max_trips = 4};
    return graph.loop(loop, std::array{graph.input(0)});
  };
  EXPECT_EQ(build(), build());
}

}  // namespace
}  // namespace proxima::ir
