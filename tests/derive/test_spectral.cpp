// Derivatives of energies of singular values, eigenvalues and rotations, against differences in extended precision, at
// the states where the usual derivative of a singular value decomposition is zero or NaN.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/derive/derive.hpp"
#include "compiler/ir/interpreter.hpp"
#include "tests/derive/spectral_energies.hpp"

namespace proxima::test {
namespace {

using ir::NodeId;
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

}  // namespace
}  // namespace proxima::test
