// Derivatives of energies of singular values, eigenvalues and rotations, against differences in extended precision, at
// the states where the usual derivative of a singular value decomposition is zero or NaN.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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

class Spectral : public testing::TestWithParam<std::string> {
 protected:
  Spectral() {
    for (std::uint32_t k = 0; k < 18; ++k) (k < 9 ? F : dF).push_back(energy.graph.input(k));
    gradient = derive::gradient(energy.graph, energy.density, F);
    hessian_vector = derive::directional(energy.graph, gradient, F, dF);
  }

  template <class Number>
  std::vector<Number> at(const std::vector<NodeId>& nodes, const std::vector<Number>& x) const {
    return ir::evaluate<Number>(energy.graph, nodes, x);
  }

  template <class Action>
  void at_each_state(Action action) {
    int tried = 0;
    for (const State& state : spectral_states()) {
      if (!spectral.is_smooth_at(state)) continue;
      SCOPED_TRACE(state.name);
      ++tried;
      action(state);
    }
    EXPECT_GE(tried, GetParam() == "largest" ? 1 : 10);
  }

  Extended moved(const State& state, const Numbers& direction, long double h) const {
    Extended x(state.F.data(), state.F.data() + 9);
    for (std::size_t i = 0; i < 9; ++i) x[i] += h * static_cast<long double>(direction[i]);
    return x;
  }

  SpectralEnergy spectral = spectral_energy(GetParam());
  ir::Energy& energy = spectral.energy;
  std::vector<NodeId> F, dF, gradient, hessian_vector;
};

double size_of(const Extended& values) {
  long double size = 1;
  for (long double value : values) size = std::max(size, std::fabs(value));
  return static_cast<double>(size);
}

TEST_P(Spectral, TheGradientIsTheDerivativeOfTheEnergy) {
  at_each_state([&](const State& state) {
    const Numbers exact = at(gradient, flat(state.F));
    for (std::size_t i = 0; i < 9; ++i) {
      Numbers unit(9, 0);
      unit[i] = 1;
      const auto f = [&](long double t) { return at<long double>({energy.density}, moved(state, unit, t))[0]; };
      const long double h = 2e-4L * state.scale;
      const long double difference = (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
      EXPECT_NEAR(exact[i], static_cast<double>(difference),
                  1e-10 * size_of({exact.begin(), exact.end()}) / state.scale);
    }
  });
}

TEST_P(Spectral, TheHessianIsTheDerivativeOfTheGradient) {
  at_each_state([&](const State& state) {
    for (int seed : {1, 2}) {
      const Numbers d = flat(some_direction(seed));
      const Numbers exact = at(hessian_vector, concatenate({flat(state.F), d}));
      const auto f = [&](long double t) { return at(gradient, moved(state, d, t)); };
      const long double h = 2e-4L * state.scale;
      const Extended a = f(h), b = f(-h), c = f(2 * h), e = f(-2 * h);
      const double size = size_of({exact.begin(), exact.end()});
      for (std::size_t i = 0; i < 9; ++i) {
        const long double difference = (8 * (a[i] - b[i]) - (c[i] - e[i])) / (12 * h);
        EXPECT_NEAR(exact[i], static_cast<double>(difference), 1e-9 * size) << "entry " << i;
      }
    }
  });
}

TEST_P(Spectral, RemaindersAreOfSecondOrder) {
  at_each_state([&](const State& state) {
    const Numbers d = flat(some_direction(3));
    const Extended start = moved(state, d, 0);
    Extended with_direction = start;
    with_direction.insert(with_direction.end(), d.begin(), d.end());
    const Extended slope = at(hessian_vector, with_direction), rest = at(gradient, start);
    const auto remainder = [&](long double h) {
      const Extended there = at(gradient, moved(state, d, h));
      long double sum = 0;
      for (std::size_t i = 0; i < 9; ++i) sum += std::fabs(there[i] - rest[i] - h * slope[i]);
      return sum;
    };
    const long double coarse = remainder(1e-3L * state.scale), fine = remainder(1e-5L * state.scale);
    if (coarse < 1e-16L * static_cast<long double>(size_of(slope))) return;  // quadratic
    EXPECT_GE(std::log10(coarse / fine) / 2, 1.9L);
  });
}

TEST_P(Spectral, TheHessianIsSymmetric) {
  at_each_state([&](const State& state) {
    const Numbers d = flat(some_direction(4)), e = flat(some_direction(5));
    const Numbers Hd = at(hessian_vector, concatenate({flat(state.F), d}));
    const Numbers He = at(hessian_vector, concatenate({flat(state.F), e}));
    double de = 0, ed = 0, size = 0;
    for (std::size_t i = 0; i < 9; ++i) {
      de += e[i] * Hd[i];
      ed += d[i] * He[i];
      size += std::fabs(e[i] * Hd[i]) + std::fabs(d[i] * He[i]);
    }
    EXPECT_NEAR(de, ed, 1e-12 * size);
  });
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const SpectralEnergy& energy : spectral_energies()) result.push_back(energy.name);
  return result;
}
INSTANTIATE_TEST_SUITE_P(Energies, Spectral, testing::ValuesIn(names()), [](const auto& param) { return param.param; });

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

struct Small : testing::Test {
  ir::Graph graph;
  F9 F;
  std::vector<NodeId> in, direction;
  Small() {
    for (std::uint32_t k = 0; k < 9; ++k) {
      F[k] = {&graph, graph.input(k)};
      in.push_back(F[k].node);
      direction.push_back(graph.input(9 + k));
    }
  }
};

// ARAP, |F - R|^2/2: at F = 1 the Hessian is the projection on symmetric matrices, as small strain says; the usual
// adjoint of the decomposition divides 0 by 0 there.
TEST(SpectralAtRest, ArapResistsStrainAndNotRotation) {
  for (const char* name : {"arap", "arap_polar"}) {
    SCOPED_TRACE(name);
    SpectralEnergy spectral = spectral_energy(name);
    ir::Graph& graph = spectral.energy.graph;
    std::vector<NodeId> F, dF;
    for (std::uint32_t k = 0; k < 18; ++k) (k < 9 ? F : dF).push_back(graph.input(k));
    const auto gradient = derive::gradient(graph, spectral.energy.density, F);
    const auto product = derive::directional(graph, gradient, F, dF);
    const Matrix3 D = some_direction(6);
    const Numbers x = concatenate({flat(Matrix3::Identity()), flat(D)});
    const Matrix3 expected = 0.5 * (D + D.transpose());
    EXPECT_LT((matrix(ir::evaluate<double>(graph, product, x).data()) - expected).norm(), 1e-15);
    EXPECT_LT(matrix(ir::evaluate<double>(graph, gradient, x).data()).norm(), 1e-15);
  }
}

TEST(SpectralAtRest, CorotatedLinearisesToItsLameConstants) {  // mu 3, lambda 5
  for (const char* name : {"corotated", "corotated_polar", "hencky", "hencky_eigen", "st_venant_kirchhoff"}) {
    SCOPED_TRACE(name);
    SpectralEnergy spectral = spectral_energy(name);
    ir::Graph& graph = spectral.energy.graph;
    std::vector<NodeId> F, dF;
    for (std::uint32_t k = 0; k < 18; ++k) (k < 9 ? F : dF).push_back(graph.input(k));
    const auto product = derive::directional(graph, derive::gradient(graph, spectral.energy.density, F), F, dF);
    const Matrix3 D = some_direction(6), R = rotation(0.8, 2, -1, 1);
    const Matrix3 strain = 0.5 * (D + D.transpose());
    const Matrix3 expected = R * (6 * strain + 5 * strain.trace() * Matrix3::Identity());
    const Numbers x = concatenate({flat(R), flat(R * D)});
    EXPECT_LT((matrix(ir::evaluate<double>(graph, product, x).data()) - expected).norm(), 1e-13);
  }
}

TEST_F(Small, TheRotationCanBeDifferentiatedAgainAndAgain) {
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
TEST_F(Small, ComposedMatricesMoveWithTheirValuesAndTheirFrame) {
  const NodeId svd = graph.apply(Op::svd, in);
  std::vector<NodeId> s;
  for (std::uint32_t k = 0; k < 3; ++k) s.push_back(Expression{&graph, graph.part(svd, k)}.apply(Op::log).node);
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

TEST_F(Small, ClosestPointsHaveTheForceOfTheirGapAndItsFullDerivative) {
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

TEST_F(Small, VectorsHaveNoDerivativeAndTheErrorSaysWhatToUse) {
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
TEST_F(Small, ADecompositionInsideABranchIsGuarded) {
  const auto s = singular_values(F);
  const Expression inside = s[2].apply(Op::log);  // -inf and worse where it is not taken
  const NodeId f = select(less(0.5, s[2]), inside, F[0] * F[0]).node;
  const auto gradient = derive::gradient(graph, f, in);
  const Numbers g = ir::evaluate<double>(graph, gradient, flat(Eigen::Vector3d(2, 1, 0).asDiagonal()));
  EXPECT_EQ(g[0], 4);
  for (std::size_t k = 1; k < 9; ++k) EXPECT_EQ(g[k], 0);
}

// One singular value matters only where a branch is taken, another always: the adjoint of the first may be anything.
TEST_F(Small, PartsOfOneDecompositionMatterAtDifferentTimes) {
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
