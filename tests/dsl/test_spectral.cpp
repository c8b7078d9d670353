// Decompositions in the language: their values, what may be made of them, and that symmetric uses are accepted.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <proxima/dsl.hpp>

#include "compiler/dsl/trace.hpp"
#include "compiler/ir/interpreter.hpp"

namespace {

using namespace proxima::dsl;
namespace ir = proxima::ir;

using M = const Mat<3, 3>&;
using Formula = Scalar (*)(M);
constexpr std::array<double, 9> some_f = {1.1, 0.2, -0.3, 0.1, 0.9, 0.25, -0.15, 0.05, 1.2};

double value(Formula formula, const std::array<double, 9>& f = some_f) {
  static Formula current;
  current = formula;
  const ir::Energy energy =
      trace({"formula", "formula.cpp", 1, [] { return current(deformation_gradient()).handle(); }});
  return ir::evaluate<double>(energy.graph, {&energy.density, 1}, std::span<const double>(f))[0];
}

// A formula that may not be an energy, since it is not symmetric or has no derivative: as the update of a history.
double updated(Formula formula) {
  static Formula current;
  current = formula;
  const ir::Energy energy = trace({"formula", "formula.cpp", 1, [] {
                                     const auto F = deformation_gradient();
                                     const auto memory = history("memory", 0);
                                     update(memory, current(F));
                                     return squared_norm(F).handle();
                                   }});
  std::vector<double> inputs(some_f.begin(), some_f.end());
  inputs.push_back(0);
  return ir::evaluate<double>(energy.graph, energy.inputs[0].update, std::span<const double>(inputs))[0];
}

TEST(Spectral, SingularValuesHaveTheInvariantsOfF) {
  EXPECT_NEAR((value([](M F) { return squared_norm(singular_values(F)) - squared_norm(F); })), 0, 1e-15);
  EXPECT_NEAR((value([](M F) {
                const auto s = singular_values(F);
                return s[0] * s[1] * s[2] - det(F);
              })),
              0, 1e-15);
  EXPECT_NEAR((value([](M F) { return singular_values(F)[0] * singular_values(F)[1] * singular_values(F)[2]; },
                     {2, 0, 0, 0, 3, 0, 0, 0, -4})),
              -24, 1e-14);
}

TEST(Spectral, PolarRotationIsARotationAndLeavesASymmetricStretch) {
  EXPECT_NEAR((value([](M F) { return squared_norm(transpose(polar_rotation(F)) * polar_rotation(F) - identity()); })),
              0, 1e-30);
  EXPECT_NEAR((value([](M F) { return squared_norm(skew_part(transpose(polar_rotation(F)) * F)); })), 0, 1e-30);
  EXPECT_NEAR((value([](M F) { return det(polar_rotation(F)); })), 1, 1e-15);
}

TEST(Spectral, EigenvaluesAreOfTheSymmetricPart) {
  EXPECT_NEAR((value([](M F) {
                const auto l = symmetric_eigenvalues(F), r = symmetric_eigenvalues(symmetric_part(F));
                return norm(l) - norm(r) + l[0] * l[1] * l[2] - r[0] * r[1] * r[2];
              })),
              0, 1e-15);
  EXPECT_NEAR((value([](M F) {
                const auto l = symmetric_eigenvalues(transpose(F) * F);
                return square(l[0]) + square(l[1]) + square(l[2]) - squared_norm(transpose(F) * F);
              })),
              0, 1e-14);
}

TEST(Spectral, ComposePutsADecompositionTogether) {
  EXPECT_NEAR((value([](M F) {
                const auto s = svd(F);
                return squared_norm(compose(s, s.sigma) - F);
              })),
              0, 1e-30);
  EXPECT_NEAR((value([](M F) {  // the root of C is the right stretch
                const auto e = symmetric_eigen(transpose(F) * F);
                const auto U = compose(e, vector(sqrt(e.values[0]), sqrt(e.values[1]), sqrt(e.values[2])));
                return squared_norm(U - transpose(polar_rotation(F)) * F);
              })),
              0, 1e-29);
}

TEST(Spectral, UpdateRulesMayUseTheVectors) {
  EXPECT_NEAR((updated([](M F) {
                const auto s = svd(F);
                return squared_norm(s.U * diagonal_matrix(s.sigma) * transpose(s.V) - F) +
                       squared_norm(transpose(s.U) * s.U - identity());
              })),
              0, 1e-29);
}

TEST(Spectral, InvariantsAndPowersOfTheDeterminant) {
  EXPECT_NEAR((value([](M F) {
                const auto C = transpose(F) * F;
                const auto I = invariants(C);
                return square(I.I1 - trace(C)) + square(I.I2 - 0.5 * (square(trace(C)) - trace(C * C))) +
                       square(I.I3 - square(det(F)));
              })),
              0, 1e-28);
  EXPECT_NEAR((value([](M F) { return det_power(F, -2.0 / 3) * square(cbrt(det(F))); })), 1, 1e-15);
  EXPECT_NEAR((value([](M F) { return det_power(F, -1) * det(F); }, {-2, 0, 0, 0, 1, 0, 0, 0, 1})), 1, 1e-15);
  EXPECT_NEAR((value([](M F) { return squared_norm(normalized(F.row(0))) + atan(F(0, 0)); })), 1 + std::atan(1.1),
              1e-15);
}

PROXIMA_ISOTROPIC(hencky) {
  auto mu = parameter("mu", pascal, 1);
  return mu * (square(log(s1)) + square(log(s2)) + square(log(s3)));
}

PROXIMA_ENERGY(hencky_and_more) {
  auto mu = parameter("mu", pascal, 1);
  auto psi = [&](auto a, auto b, auto c) { return mu * (square(log(a)) + square(log(b)) + square(log(c))); };
  return isotropic(psi) + det(deformation_gradient());
}

TEST(Spectral, IsotropicEnergiesAreOfThePrincipalStretches) {
  const std::array<double, 10> inputs = {0, -2, 0, 0.5, 0, 0, 0, 0, 3, 7};
  const double expected = 7 * (2 * std::log(2) * std::log(2) + std::log(3) * std::log(3));
  const auto density = [&](const char* name) {
    const ir::Energy energy = find_energy(name);
    return ir::evaluate<double>(energy.graph, {&energy.density, 1}, std::span<const double>(inputs))[0];
  };
  EXPECT_NEAR(density("hencky"), expected, 1e-14);
  EXPECT_NEAR(density("hencky_and_more"), expected + 3, 1e-14);
}

}  // namespace
