// The rules of decompositions one by one: pair quotients, rotations, composed matrices, branches and what has no
// derivative.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/derive/derive.hpp"
#include "compiler/derive/pair_quotients.hpp"
#include "compiler/derive/spectral.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/support/error.hpp"
#include "tests/derive/spectral_energies.hpp"

namespace proxima::test {
namespace {

using ir::Expression;
using ir::NodeId;
using ir::Op;
using Extended = std::vector<long double>;

// The pair quotients of symmetric values have all digits at gaps where the plain one has lost them and where the limit
// is not yet reached; of others they are right to the square of the gap.
TEST(PairQuotients, HaveAllDigits) {
  ir::Graph graph;
  std::vector<NodeId> x, symmetric, asymmetric;
  for (std::uint32_t k = 0; k < 3; ++k) {
    x.push_back(graph.input(k));
    const Expression value{&graph, x.back()};
    symmetric.push_back((value.apply(Op::log) / value).node);
    const Expression off = value - 1.25;  // what makes it asymmetric is negligible at the point of the test
    asymmetric.push_back((value.apply(Op::log) / value + 1e-4 * k * (off * off * off)).node);
  }
  const NodeId of_symmetric = derive::minus_quotients(graph, symmetric, x)[0];
  const NodeId of_asymmetric = derive::minus_quotients(graph, asymmetric, x)[0];
  for (double gap : {1e-3, 3e-5, 1e-9, 1e-13, 0.0}) {
    const double a = 1.25, b = a + gap, middle = a + (b - a) / 2, h = (b - a) / 2;
    // log(x)/x to the third order around the middle.
    const double first = (1 - std::log(middle)) / (middle * middle);
    const double third = (11 - 6 * std::log(middle)) / std::pow(middle, 4);
    const double fifth = (274 - 120 * std::log(middle)) / std::pow(middle, 6);
    const double expected = first + third * h * h / 6 + fifth * h * h * h * h / 120;
    const Numbers at = {a, b, 0.7};
    EXPECT_NEAR(ir::evaluate<double>(graph, {&of_symmetric, 1}, at)[0], expected, 1e-15) << gap;
    EXPECT_NEAR(ir::evaluate<double>(graph, {&of_asymmetric, 1}, at)[0], expected, 1e-9) << gap;
  }
}

TEST(PairQuotients, OfSumsAreFoundOddOrNot) {
  ir::Graph graph;
  std::vector<NodeId> x, odd, other;
  for (std::uint32_t k = 0; k < 3; ++k) {
    x.push_back(graph.input(k));
    const Expression value{&graph, x.back()};
    odd.push_back((value * value * value).node);
    other.push_back((value - 1).node);
  }
  const NodeId of_odd = derive::plus_quotients(graph, odd, x)[2], of_other = derive::plus_quotients(graph, other, x)[2];
  EXPECT_EQ(ir::evaluate<double>(graph, {&of_odd, 1}, Numbers{2, 0, 0})[0], 0);
  EXPECT_EQ(ir::evaluate<double>(graph, {&of_odd, 1}, Numbers{2, 0.5, -0.5})[0], 0.75);
  EXPECT_EQ(ir::evaluate<double>(graph, {&of_other, 1}, Numbers{2, 0.5, 0.25})[0], -1.25 / 0.75);
}

// What stretches enter symmetrically, as J^p, is not computed anew for each pair; nor are powers of another stretch.
TEST(PairQuotients, EvaluateOnlyWhatMoves) {
  const ir::Energy energy = spectral_energy("ogden").energy;
  const auto powers = [](const ir::Kernel& kernel) {
    int count = 0;
    for (std::uint32_t i = 0; i < kernel.graph.size(); ++i) count += kernel.graph.node({i}).op == Op::pow;
    return count;
  };
  EXPECT_EQ(powers(derive::strain_kernel(energy, derive::Quantity::energy)), 12);
  EXPECT_LE(powers(derive::strain_kernel(energy, derive::Quantity::hessian_vector)), 3 * 12);
}

struct Decompositions : testing::Test {
  ir::Graph graph;
  F9 F;
  std::vector<NodeId> in, direction;
  Decompositions() {
    for (std::uint32_t k = 0; k < 9; ++k) {
      F[k] = {&graph, graph.input(k)};
      in.push_back(F[k].node);
      direction.push_back(graph.input(9 + k));
    }
  }
};

TEST_F(Decompositions, TheRotationCanBeDifferentiatedAgainAndAgain) {
  const auto R = polar_of(F);
  const NodeId f = (R[0] * F[1] + R[4] * R[5] + R[7]).node;
  std::vector<NodeId> derivatives = {f};
  for (int order = 1; order <= 3; ++order)
    derivatives.push_back(derive::directional(graph, {&derivatives.back(), 1}, in, direction)[0]);
  const Matrix3 at = states().back().F, D = some_direction(7);
  for (std::size_t order = 1; order <= 3; ++order) {
    const auto value = [&](std::size_t k, long double t) {
      Extended x;
      for (int i = 0; i < 9; ++i) x.push_back(at.data()[i] + t * static_cast<long double>(D.data()[i]));
      for (int i = 0; i < 9; ++i) x.push_back(D.data()[i]);
      return ir::evaluate<long double>(graph, {&derivatives[k], 1}, x)[0];
    };
    const long double h = 1e-4L;
    const long double difference =
        (8 * (value(order - 1, h) - value(order - 1, -h)) - (value(order - 1, 2 * h) - value(order - 1, -2 * h))) /
        (12 * h);
    EXPECT_NEAR(static_cast<double>(value(order, 0)), static_cast<double>(difference), 1e-10);
  }
}

// The forward and the reverse rule of a composed matrix, of values that its stretches do not enter symmetrically.
TEST_F(Decompositions, ComposedMatricesMoveWithTheirValuesAndTheirFrame) {
  const NodeId svd = graph.apply(Op::svd, in);
  std::vector<NodeId> s(3);
  for (std::uint32_t k = 0; k < 3; ++k) s[k] = Expression{&graph, graph.part(svd, k)}.apply(Op::log).node;
  const NodeId matrix_log = derive::compose(graph, svd, s);
  NodeId f = graph.constant(0);
  for (std::uint32_t k = 0; k < 9; ++k)
    f = (Expression{&graph, f} + (0.3 + k) * Expression{&graph, graph.part(matrix_log, k)}).node;
  const NodeId forward = derive::directional(graph, {&f, 1}, in, direction)[0];
  const auto reverse = derive::gradient(graph, f, in);
  for (const State& state : spectral_states()) {
    if (state.F.determinant() < 1e-2) continue;
    SCOPED_TRACE(state.name);
    const Numbers d = flat(some_direction(8)), x = concatenate({flat(state.F), d});
    const double along = ir::evaluate<double>(graph, {&forward, 1}, x)[0];
    const Numbers g = ir::evaluate<double>(graph, reverse, x);
    double sum = 0;
    for (std::size_t k = 0; k < 9; ++k) sum += g[k] * d[k];
    const auto value = [&](long double t) {
      Extended y;
      for (std::size_t k = 0; k < 9; ++k) y.push_back(flat(state.F)[k] + t * static_cast<long double>(d[k]));
      return ir::evaluate<long double>(graph, {&f, 1}, y)[0];
    };
    const long double h = 1e-4L;
    const auto difference =
        static_cast<double>((8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h));
    EXPECT_NEAR(along, difference, 1e-9 * (1 + std::fabs(difference)));
    EXPECT_NEAR(sum, difference, 1e-9 * (1 + std::fabs(difference)));
  }
}

TEST_F(Decompositions, ClosestPointsHaveTheForceOfTheirGapAndItsFullDerivative) {
  const auto R = polar_of(F);
  NodeId energy = graph.constant(0);
  for (std::size_t k = 0; k < 9; ++k) energy = (Expression{&graph, energy} + F[k].apply(Op::gap, {R[k]})).node;
  const auto force = derive::gradient(graph, energy, in);
  const auto product = derive::directional(graph, force, in, direction);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_EQ(force[k], (F[k] - R[k]).node);
  const Matrix3 D = some_direction(9);
  const Numbers x = concatenate({flat(Matrix3::Identity()), flat(D)});
  EXPECT_LT((matrix(ir::evaluate<double>(graph, product, x).data()) - 0.5 * (D + D.transpose())).norm(), 1e-15);
}

void expect_error(const std::function<void()>& action, const std::string& words) {
  try {
    action();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST_F(Decompositions, VectorsHaveNoDerivativeAndTheErrorSaysWhatToUse) {
  const NodeId svd = graph.apply(Op::svd, in);
  const NodeId u = graph.part(svd, 5);
  expect_error([&] { derive::gradient(graph, u, in); }, "singular values, the polar rotation or invariants");
  expect_error([&] { derive::directional(graph, {&u, 1}, in, direction); }, "singular value decomposition");
  const std::vector<NodeId> symmetric(in.begin(), in.begin() + 6);
  const NodeId q = graph.part(graph.apply(Op::eigen, symmetric), 5);
  expect_error([&] { derive::gradient(graph, q, in); }, "eigenvectors");
  // A third derivative of an energy of stretches meets them.
  const auto s = singular_values(F);
  const NodeId psi = (s[0] * s[0] * s[0] + s[1] * s[1] * s[1] + s[2] * s[2] * s[2]).node;
  const auto second = derive::directional(graph, derive::gradient(graph, psi, in), in, direction);
  expect_error([&] { derive::directional(graph, second, in, direction); }, "singular value decomposition");
}

// Branches around a decomposition: what is not taken must not poison the entries of its matrix.
TEST_F(Decompositions, ADecompositionInsideABranchIsGuarded) {
  const auto s = singular_values(F);
  const Expression inside = s[2].apply(Op::log);  // -inf and worse where it is not taken
  const NodeId f = select(less(0.5, s[2]), inside, F[0] * F[0]).node;
  const auto gradient = derive::gradient(graph, f, in);
  const Numbers g = ir::evaluate<double>(graph, gradient, flat(Eigen::Vector3d(2, 1, 0).asDiagonal()));
  EXPECT_EQ(g[0], 4);
  for (std::size_t k = 1; k < 9; ++k) EXPECT_EQ(g[k], 0);
}

// One singular value matters only where a branch is taken, another always: the adjoint of the first may be anything.
TEST_F(Decompositions, PartsOfOneDecompositionMatterAtDifferentTimes) {
  const auto s = singular_values(F);
  const Expression sum = select(less(0.5, s[2]), s[2].apply(Op::log), 0) + s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
  const auto gradient = derive::gradient(graph, sum.node, in);
  const auto product = derive::directional(graph, gradient, in, direction);
  const Matrix3 D = some_direction(10);
  const Numbers x = concatenate({flat(Eigen::Vector3d(2, 1, 0).asDiagonal()), flat(D)});
  const Numbers g = ir::evaluate<double>(graph, gradient, x), Hd = ir::evaluate<double>(graph, product, x);
  for (std::size_t k = 0; k < 9; ++k) {
    EXPECT_NEAR(g[k], 2 * x[k], 1e-15);
    EXPECT_NEAR(Hd[k], 2 * x[9 + k], 1e-12);
  }
}

}  // namespace
}  // namespace proxima::test
