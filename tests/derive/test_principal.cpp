// Isotropic energies are recognised whatever they are written with, and nothing else is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/derive/derive.hpp"
#include "compiler/derive/principal.hpp"
#include "compiler/ir/interpreter.hpp"
#include "tests/derive/spectral_energies.hpp"

namespace proxima::test {
namespace {

using ir::Expression;

struct Written {
  std::string name;
  ir::Energy energy;
  bool isotropic;
};

std::vector<Written> written() {
  std::vector<Written> result;
  for (const SpectralEnergy& e : spectral_energies())
    result.push_back({e.name, e.energy, e.isotropic && e.name != "largest"});
  const std::vector<std::string> anisotropic = {"mixed_functions", "branches"};
  for (const ir::Energy& energy : energies())
    result.push_back({"shipped_" + energy.name, energy,
                      std::find(anisotropic.begin(), anisotropic.end(), energy.name) == anisotropic.end()});
  result.push_back({"linear_elasticity",
                    energy_of("linear_elasticity",
                              [](const F9& F) {  // not frame indifferent
                                const Expression xy = F[1] + F[3], xz = F[2] + F[6], yz = F[5] + F[7];
                                const Expression xx = F[0] - 1, yy = F[4] - 1, zz = F[8] - 1;
                                return xx * xx + yy * yy + zz * zz + 0.5 * (xy * xy + xz * xz + yz * yz);
                              }),
                    false});
  return result;
}

class Principal : public testing::TestWithParam<Written> {};

TEST_P(Principal, FormIsFoundWhereThereIsOneAndHasTheSameValues) {
  const ir::Energy& energy = GetParam().energy;
  const auto form = derive::principal_form(energy);
  ASSERT_EQ(form.has_value(), GetParam().isotropic);
  if (!form) return;
  const Numbers parameters = parameters_of(energy);
  const Matrix3 U = rotation(0.7, 1, 2, 3), V = rotation(-1.1, 3, -1, 1);
  for (const Eigen::Vector3d& s : {Eigen::Vector3d(1.4, 1.1, 0.6), {1, 1, 1}, {1.3, 0.9, -0.5}}) {
    const Matrix3 F = U * s.asDiagonal() * V.transpose();
    const double expected =
        ir::evaluate<double>(energy.graph, {&energy.density, 1}, concatenate({flat(F), parameters}))[0];
    const double psi =
        ir::evaluate<double>(form->graph, {&form->psi, 1}, concatenate({{s[0], s[1], s[2]}, parameters}))[0];
    if (!std::isfinite(expected)) continue;
    EXPECT_NEAR(psi, expected, 1e-9 * (1 + std::fabs(expected)));
  }
}

INSTANTIATE_TEST_SUITE_P(Energies, Principal, testing::ValuesIn(written()),
                         [](const auto& param) { return param.param.name; });

ir::Parameter parameter(const std::string& name, double value) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  return {.name = name, .unit = "", .default_value = value, .lower = -inf, .upper = inf, .where = {}};
}

// A fibre that is switched off by default must not be overlooked.
TEST(PrincipalForm, ParametersWithDefaultZeroAreProbedElsewhere) {
  const auto density = [](const F9& F) {
    const Expression k{F[0].graph, F[0].graph->input(9)};
    return squared_norm(F) + k * (F[0] * F[0] + F[3] * F[3] + F[6] * F[6]);
  };
  EXPECT_FALSE(derive::principal_form(energy_of("off", density, {parameter("k", 0)})));
}

TEST(PrincipalForm, KeepsParametersBehindTheStretches) {
  const auto density = [](const F9& F) {
    return Expression{F[0].graph, F[0].graph->input(10)} * squared_norm(F) +
           Expression{F[0].graph, F[0].graph->input(9)} * determinant(F);
  };
  const auto form = derive::principal_form(energy_of("two", density, {parameter("a", 2), parameter("b", 3)}));
  ASSERT_TRUE(form);
  EXPECT_EQ(ir::evaluate<double>(form->graph, {&form->psi, 1}, Numbers{1, 2, 3, 100, 1000})[0], 14000 + 600);
}

TEST(PrincipalForm, OtherMeasuresHaveNone) {
  ir::Energy spring;
  spring.measure = ir::Measure::edge_vector;
  const Expression x{&spring.graph, spring.graph.input(0)};
  spring.density = (x * x).node;
  EXPECT_FALSE(derive::principal_form(spring));
}

}  // namespace
}  // namespace proxima::test
