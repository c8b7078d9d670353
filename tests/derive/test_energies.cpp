// Every derivative of every energy, at the states where derivatives tend to go wrong, against differences in extended
// precision; and the laws of mechanics that a hyperelastic energy has to obey.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/derive/derive.hpp"
#include "compiler/ir/interpreter.hpp"
#include "tests/derive/states.hpp"

namespace proxima::test {
namespace {

using derive::Quantity;
using Extended = std::vector<long double>;

class Derivatives : public testing::TestWithParam<std::string> {
 protected:
  const ir::Energy energy = energy_named(GetParam());
  const ir::Kernel value = derive::strain_kernel(energy, Quantity::energy);
  const ir::Kernel stress = derive::strain_kernel(energy, Quantity::forces);
  const ir::Kernel hessian_vector = derive::strain_kernel(energy, Quantity::hessian_vector);
  const ir::Kernel pull_back = derive::strain_kernel(energy, Quantity::pull_back);
  const Numbers parameters = parameters_of(energy);

  // The size of stresses at unit strain and at this state, Pa: what differences of them are compared with.
  double size_of_stress(const State& state) const {
    double size = ir::evaluate<double>(derive::rest_weight(energy), parameters)[0];
    for (double entry : ir::evaluate<double>(stress, concatenate({flat(state.F), parameters})))
      size = std::max(size, std::fabs(entry));
    return size;
  }

  template <class Action>
  void at_each_state(Action action) {
    int tried = 0;
    for (const State& state : states()) {
      SCOPED_TRACE(state.name);
      const double psi = ir::evaluate<double>(value, concatenate({flat(state.F), parameters}))[0];
      if (!std::isfinite(psi)) continue;  // outside the domain of this energy
      ++tried;
      action(state);
    }
    EXPECT_GE(tried, 5);
  }

  Extended moved(const Numbers& x, const Numbers& direction, long double h) const {
    Extended y(x.begin(), x.end());
    for (std::size_t i = 0; i < direction.size(); ++i) y[i] += h * static_cast<long double>(direction[i]);
    return y;
  }
};

// Order in h of |f(x + h d) - f(x) - h slope| over two decades below h0. `size` is that of the terms of f: where the
// remainder is rounding of such terms only, f is linear along d and the order counts as 2.
long double observed_order(const std::function<long double(long double)>& f, long double slope, long double h0,
                           long double size) {
  const auto remainder = [&](long double h) { return std::fabs(f(h) - f(0) - h * slope); };
  const long double coarse = remainder(h0), fine = remainder(h0 / 100);
  if (coarse <= 1e-16L * size) return 2;
  return std::log10(coarse / fine) / 2;
}

TEST_P(Derivatives, StressIsTheDerivativeOfTheEnergy) {
  at_each_state([&](const State& state) {
    const Numbers x = concatenate({flat(state.F), parameters});
    const Numbers d = flat(some_direction(1));
    const auto P = ir::evaluate<long double>(stress, Extended(x.begin(), x.end()));
    long double slope = 0;
    for (std::size_t i = 0; i < 9; ++i) slope += P[i] * static_cast<long double>(d[i]);
    const auto f = [&](long double h) { return ir::evaluate<long double>(value, moved(x, d, h))[0]; };
    EXPECT_GE(observed_order(f, slope, 1e-3L * state.scale, size_of_stress(state)), 1.9L);

    const Numbers in_double = ir::evaluate<double>(stress, x);
    const long double h = 1e-4L * state.scale;
    long double largest = 0;
    for (long double entry : P) largest = std::max(largest, std::fabs(entry));
    for (std::size_t i = 0; i < 9; ++i) {
      Numbers unit(9, 0);
      unit[i] = 1;
      const auto along = [&](long double t) { return ir::evaluate<long double>(value, moved(x, unit, t))[0]; };
      const long double difference = (8 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) / (12 * h);
      EXPECT_NEAR(in_double[i], static_cast<double>(difference), 1e-6 * std::max(1.0, static_cast<double>(largest)));
    }
  });
}

TEST_P(Derivatives, HessianVectorIsTheDerivativeOfTheStressAndSymmetric) {
  at_each_state([&](const State& state) {
    const Numbers x = concatenate({flat(state.F), parameters});
    const Numbers d = flat(some_direction(2)), e = flat(some_direction(3));
    const auto applied = [&](const Numbers& direction) {
      return ir::evaluate<double>(hessian_vector, concatenate({flat(state.F), direction, parameters}));
    };
    const Numbers dP = applied(d), eP = applied(e);
    double de = 0, ed = 0, norm = 0;
    for (std::size_t i = 0; i < 9; ++i) {
      de += e[i] * dP[i];
      ed += d[i] * eP[i];
      norm += std::fabs(e[i] * dP[i]);
    }
    EXPECT_NEAR(de, ed, 1e-12 * norm);

    const Numbers weights = flat(some_direction(4));
    const auto f = [&](long double h) {
      const auto P = ir::evaluate<long double>(stress, moved(x, d, h));
      long double sum = 0;
      for (std::size_t i = 0; i < 9; ++i) sum += P[i] * static_cast<long double>(weights[i]);
      return sum;
    };
    Extended extended(x.begin(), x.begin() + 9);
    extended.insert(extended.end(), d.begin(), d.end());
    extended.insert(extended.end(), parameters.begin(), parameters.end());
    const auto exact = ir::evaluate<long double>(hessian_vector, extended);
    long double slope = 0;
    for (std::size_t i = 0; i < 9; ++i) slope += exact[i] * static_cast<long double>(weights[i]);
    EXPECT_GE(observed_order(f, slope, 1e-3L * state.scale, size_of_stress(state)), 1.9L);
    const long double h = 1e-4L * state.scale;
    const long double difference = (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
    EXPECT_NEAR(static_cast<double>(slope / difference), 1, 1e-6);
  });
}

TEST_P(Derivatives, PullBackIsTheDerivativeByEachParameter) {
  at_each_state([&](const State& state) {
    const Numbers d = flat(some_direction(5));
    const Numbers x = concatenate({flat(state.F), d, parameters});
    const auto exact = ir::evaluate<long double>(pull_back, Extended(x.begin(), x.end()));
    const Numbers in_double = ir::evaluate<double>(pull_back, x);
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      SCOPED_TRACE(energy.parameters[k].name);
      EXPECT_TRUE(derive::depends_on(energy, k));
      const auto f = [&](long double h) {  // <P(F; theta + h e_k), dF>
        Extended y(state.F.data(), state.F.data() + 9);
        y.insert(y.end(), parameters.begin(), parameters.end());
        y[9 + k] += h;
        const auto P = ir::evaluate<long double>(stress, y);
        long double sum = 0;
        for (std::size_t i = 0; i < 9; ++i) sum += P[i] * static_cast<long double>(d[i]);
        return sum;
      };
      const long double h = 1e-4L * std::fabs(static_cast<long double>(parameters[k]));
      const long double difference = (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
      const double size = size_of_stress(state) / std::fabs(parameters[k]);
      EXPECT_GE(observed_order(f, exact[k], 100 * h, size_of_stress(state)), 1.9L);
      EXPECT_NEAR(static_cast<double>(exact[k] - difference), 0,
                  1e-6 * std::fabs(static_cast<double>(difference)) + 1e-12 * size);
      EXPECT_NEAR(in_double[k], static_cast<double>(exact[k]), 1e-12 * size / state.scale);
    }
  });
}

TEST_P(Derivatives, EnergyForcesAndStateAgreeWithTheSingleQuantities) {
  const ir::Kernel joint = derive::strain_kernel(energy, Quantity::energy_forces);
  const ir::Kernel state_kernel = derive::strain_kernel(energy, Quantity::state);
  at_each_state([&](const State& state) {
    const Numbers x = concatenate({flat(state.F), parameters});
    const Numbers psi = ir::evaluate<double>(value, x), P = ir::evaluate<double>(stress, x);
    EXPECT_EQ(ir::evaluate<double>(joint, x), concatenate({psi, P}));
    EXPECT_EQ(ir::evaluate<double>(state_kernel, x), concatenate({P, psi}));
  });
}

std::vector<std::string> names_of_energies() {
  return {"stable_neo_hookean", "neo_hookean", "st_venant_kirchhoff", "mooney_rivlin", "fung",
          "mixed_functions",    "branches"};
}
const auto name_of = [](const auto& each) { return each.param; };

INSTANTIATE_TEST_SUITE_P(Energies, Derivatives, testing::ValuesIn(names_of_energies()), name_of);

TEST(Energies, AreAllTested) { EXPECT_EQ(energies().size(), names_of_energies().size()); }

// What holds for the materials that are shipped.
class Material : public Derivatives {};

TEST_P(Material, StressTurnsWithTheBody) {
  const Matrix3 R = rotation(2.1, -1, 0.4, 2);
  at_each_state([&](const State& state) {
    const Matrix3 P = matrix(ir::evaluate<double>(stress, concatenate({flat(state.F), parameters})).data());
    const Matrix3 turned = matrix(ir::evaluate<double>(stress, concatenate({flat(R * state.F), parameters})).data());
    const double size = P.norm() + ir::evaluate<double>(derive::rest_weight(energy), parameters)[0];
    EXPECT_LE((turned - R * P).norm(), 1e-12 * size / state.scale);
    const Matrix3 kirchhoff = P * state.F.transpose();  // symmetric: no torque on the element
    EXPECT_LE((kirchhoff - kirchhoff.transpose()).norm(), 1e-12 * size / state.scale);
  });
}

TEST_P(Material, IsFreeOfStressAndEnergyAtRest) {
  const double weight = ir::evaluate<double>(derive::rest_weight(energy), parameters)[0];
  EXPECT_GT(weight, 0);
  const Numbers rest = concatenate({flat(Matrix3::Identity()), parameters});
  for (double entry : ir::evaluate<double>(stress, rest)) EXPECT_NEAR(entry, 0, 1e-14 * weight);
}

INSTANTIATE_TEST_SUITE_P(Shipped, Material,
                         testing::Values("stable_neo_hookean", "neo_hookean", "st_venant_kirchhoff", "mooney_rivlin",
                                         "fung"),
                         name_of);

// The materials that are set by Young's modulus and Poisson's ratio behave so exactly, in the limit of small strain.
class YoungPoisson : public testing::TestWithParam<std::string> {};

TEST_P(YoungPoisson, LinearisesToHookesLaw) {
  const ir::Energy energy = energy_named(GetParam());
  for (double nu : {-0.3, 0.0, 0.3, 0.45, 0.495}) {
    const double E = 2.5e5, mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
    const Matrix3 d = some_direction(6), strain = 0.5 * (d + d.transpose());
    const Matrix3 expected = 2 * mu * strain + lambda * strain.trace() * Matrix3::Identity();
    const ir::Kernel kernel = derive::strain_kernel(energy, Quantity::hessian_vector);
    const Matrix3 dP =
        matrix(ir::evaluate<double>(kernel, concatenate({flat(Matrix3::Identity()), flat(d), {E, nu}})).data());
    EXPECT_LE((dP - expected).norm(), 1e-12 * expected.norm()) << "nu " << nu;
    EXPECT_NEAR(ir::evaluate<double>(derive::rest_weight(energy), Numbers{E, nu})[0] / (2 * mu + lambda), 1, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, YoungPoisson,
                         testing::Values("stable_neo_hookean", "neo_hookean", "st_venant_kirchhoff"), name_of);

TEST(RestWeight, IsTheMeanCurvatureAlongTheAxes) {
  for (const ir::Energy& energy : energies()) {
    const Numbers parameters = parameters_of(energy);
    const ir::Kernel kernel = derive::strain_kernel(energy, Quantity::hessian_vector);
    double mean = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      Numbers axis(9, 0);
      axis[4 * i] = 1;
      mean += ir::evaluate<double>(kernel, concatenate({flat(Matrix3::Identity()), axis, parameters}))[4 * i] / 3;
    }
    const ir::Kernel weight = derive::rest_weight(energy);
    EXPECT_EQ(weight.corners, 0u);
    EXPECT_EQ(weight.inputs.size(), parameters.size());
    EXPECT_NEAR(ir::evaluate<double>(weight, parameters)[0] / mean, 1, 1e-12) << energy.name;
  }
}

}  // namespace
}  // namespace proxima::test
