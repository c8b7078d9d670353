// The materials of dsl_examples/: traced, and compared with the same laws written by hand (example_references); rest
// states, small strains, rigid motions, and the plastic flow.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "compiler/dsl/registry.hpp"
#include "compiler/dsl/trace.hpp"
#include "compiler/ir/interpreter.hpp"
#include "tests/dsl/example_references.hpp"

namespace proxima::dsl::examples {
namespace {

using Numbers = std::vector<double>;

Numbers flat(const Matrix3d& m) {
  const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rows = m;
  return {rows.data(), rows.data() + 9};
}

Matrix3d turned(double angle, const Vector3d& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}
const Matrix3d some_rotation = turned(1.2, {1, -2, 0.5});

Matrix3d stretched(double a, double b, double c) {
  return some_rotation * Vector3d(a, b, c).asDiagonal() * turned(-0.4, {0.3, 1, 2});
}

// States that differ by much, all with det F > 0; equal stretches among them.
std::vector<Numbers> strains(const ir::Energy& energy) {
  switch (energy.measure) {
    case ir::Measure::deformation_gradient:
      return {flat(Matrix3d::Identity()),     flat(some_rotation),
              flat(stretched(1.3, 1.1, 0.8)), flat(stretched(1.2, 1.2, 0.7)),
              flat(stretched(0.9, 0.9, 0.9)), flat(stretched(1.002, 1.001, 0.997)),
              flat(stretched(0.6, 1.5, 1.05))};
    case ir::Measure::surface_deformation_gradient:
      return {
          {1, 0, 0, 1, 0, 0}, {0, -1, 1, 0, 0, 0}, {1.2, 0.1, -0.3, 0.9, 0.2, 0.4}, {0.1, 0.8, 0.7, 0.2, -0.5, 0.6}};
    case ir::Measure::edge_vector:
      return {{0.8, 0, 0}, {0.3, -0.5, 1.1}, {0, 0.2, 0.1}};
    case ir::Measure::node_positions:
      return {{0, 0, 0, 0, 0.2, 0, 0.1, 0.1, 0, -0.15, 0.05, 0.03},
              {0, 0, 0, 0.05, 0.2, -0.1, 0.1, 0.1, 0.1, -0.15, 0.05, -0.03},
              {0.1, 0, 0, 0, 0.3, 0, 0.1, 0.1, -0.2, -0.1, 0.05, 0.05}};
  }
  return {};
}

// Defaults, and every input away from its default.
std::vector<State> states(const ir::Energy& energy) {
  std::vector<State> all;
  for (const Numbers& strain : strains(energy)) {
    all.push_back(default_state(energy, strain));
    State moved = all.back();
    for (const ir::Parameter& parameter : energy.parameters) {
      double& value = moved.inputs[parameter.name][0];
      value = value == 0 ? 0.3 : 0.8 * value;
    }
    for (const ir::Input& input : energy.inputs) {
      Numbers& value = moved.inputs[input.name];
      if (input.kind == ir::InputKind::direction) value = {0.48, -0.6, 0.64};
      if (input.kind == ir::InputKind::previous_strain)
        for (std::size_t k = 0; k < value.size(); ++k) value[k] += 0.05 * std::sin(static_cast<double>(k));
      if (input.kind == ir::InputKind::history)
        for (std::size_t k = 0; k < value.size(); ++k) value[k] += 0.03 * std::cos(static_cast<double>(k));
    }
    all.push_back(moved);
  }
  return all;
}

double density(const ir::Energy& energy, const State& state) {
  const Numbers slots = state.slots(energy);
  return ir::evaluate<double>(energy.graph, {&energy.density, 1}, std::span<const double>(slots))[0];
}

// By long double, for differences.
long double exact_density(const ir::Energy& energy, const State& state, const std::vector<long double>& strain) {
  const Numbers slots = state.slots(energy);
  std::vector<long double> exact(slots.begin(), slots.end());
  std::copy(strain.begin(), strain.end(), exact.begin());
  return ir::evaluate<long double>(energy.graph, {&energy.density, 1}, std::span<const long double>(exact))[0];
}

Numbers gradient(const ir::Energy& energy, const State& state, long double h = 1e-6L) {
  Numbers result;
  std::vector<long double> strain(state.strain.begin(), state.strain.end());
  for (long double& x : strain) {
    const long double middle = x;
    x = middle + h;
    const long double above = exact_density(energy, state, strain);
    x = middle - h;
    result.push_back(static_cast<double>((above - exact_density(energy, state, strain)) / (2 * h)));
    x = middle;
  }
  return result;
}

// The size of an energy's numbers at strains of order 1.
double scale(const ir::Energy& energy) {
  double size = 0;
  for (const State& state : states(energy)) size = std::fmax(size, std::fabs(density(energy, state)));
  return size;
}

class Example : public ::testing::TestWithParam<std::string> {
 protected:
  const ir::Energy energy = find_energy(GetParam());
};

TEST_P(Example, IsTheFormulaOfItsSource) {
  const double rounding = 1e-12 * scale(energy);
  std::size_t k = 0;
  for (const State& state : states(energy)) {
    const double expected = reference_density(energy.name, state);
    ASSERT_TRUE(std::isfinite(expected)) << "state " << k;
    EXPECT_NEAR(density(energy, state), expected, 1e-11 * std::fabs(expected) + rounding) << "state " << k;
    ++k;
  }
}

TEST_P(Example, IsFreeOfEnergyAndStressAtRest) {
  const State rest = default_state(energy, strains(energy)[0]);
  if (energy.name != "stable_neo_hookean") {  // which has a constant
    EXPECT_NEAR(density(energy, rest), 0, 1e-13 * scale(energy));
  }
  // Short steps: fibres that carry tension only have a kink in the stress there.
  for (double component : gradient(energy, rest, 1e-8L)) EXPECT_NEAR(component, 0, 1e-8 * scale(energy));
}

TEST_P(Example, DoesNotChangeInARigidRotation) {
  for (const State& state : states(energy)) {
    State after = state;
    const auto turn = [&](Numbers& strain) {
      const auto columns =
          static_cast<Eigen::Index>(energy.measure == ir::Measure::surface_deformation_gradient ? 2 : 3);
      if (energy.measure == ir::Measure::edge_vector || energy.measure == ir::Measure::node_positions) {
        for (std::size_t k = 0; k < strain.size(); k += 3) {
          Eigen::Map<Vector3d> x(strain.data() + k);
          x = (some_rotation * x).eval();
        }
        return;
      }
      Eigen::Map<Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>> F(strain.data(), 3, columns);
      F = (some_rotation * F).eval();
    };
    turn(after.strain);
    if (energy.name == "linear_elasticity") {  // is for small rotations
      EXPECT_GT(std::fabs(density(energy, after) - density(energy, state)), 1e-3 * scale(energy));
      continue;
    }
    EXPECT_NEAR(density(energy, after), density(energy, state), 1e-12 * scale(energy));
  }
}

std::vector<std::string> names() {
  std::set<std::string> sorted;
  for (const Registered& energy : registered_energies()) sorted.insert(energy.name);
  return {sorted.begin(), sorted.end()};
}
std::string case_name(const ::testing::TestParamInfo<std::string>& info) { return info.param; }
INSTANTIATE_TEST_SUITE_P(Shipped, Example, ::testing::ValuesIn(names()), case_name);

class HookesLaw : public Example {};

TEST_P(HookesLaw, HoldsForSmallStrains) {
  for (double nu : {0.1, 0.3, 0.45}) {
    State rest = default_state(energy, flat(Matrix3d::Identity()));
    rest.inputs["nu"] = {nu};
    const double E = rest.number("E"), mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
    Matrix3d d;
    d << 0.3, -0.7, 0.2, 0.5, -0.1, 0.4, 0.6, 0.1, -0.8;
    const Matrix3d strain = 0.5 * (d + d.transpose());
    const double expected = 2 * mu * strain.squaredNorm() + lambda * std::pow(strain.trace(), 2);
    const auto at = [&](long double h) {
      const Numbers one = flat(Matrix3d::Identity()), direction = flat(d);
      std::vector<long double> F(9);
      for (std::size_t k = 0; k < 9; ++k) F[k] = one[k] + h * direction[k];
      return exact_density(energy, rest, F);
    };
    const long double h = 1e-5L;
    const auto curvature = static_cast<double>((at(h) + at(-h) - 2 * at(0)) / (h * h));
    EXPECT_NEAR(curvature, expected, 1e-8 * expected) << "nu " << nu;
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, HookesLaw,
                         ::testing::Values("corotated", "corotated_with_barrier", "diffpd", "hencky",
                                           "linear_elasticity", "neo_hookean", "st_venant_kirchhoff",
                                           "stable_neo_hookean", "von_mises_plasticity"),
                         case_name);

// Stretches far beyond the yield strain of 1 %, and a second step from there.
TEST(Plasticity, FlowsBackToTheYieldSurface) {
  const ir::Energy energy = find_energy("von_mises_plasticity");
  State state = default_state(energy, flat(stretched(1.1, 1.02, 0.93)));
  for (int step = 0; step < 2; ++step) {
    const auto expected = reference_plastic_update(state);
    std::map<std::string, Numbers> updated;
    const Numbers slots = state.slots(energy);
    for (const ir::Input& input : energy.inputs)
      updated[input.name] = ir::evaluate<double>(energy.graph, input.update, std::span<const double>(slots));
    for (const auto& [name, values] : expected)
      for (std::size_t k = 0; k < values.size(); ++k)
        EXPECT_NEAR(updated[name][k], values[k], 1e-13) << name << " " << k << " step " << step;
    EXPECT_GT(updated["plastic_strain"][0], state.number("plastic_strain") + 0.01);

    // The stress of the energy (with the flow inside) is that of Hencky's law for the elastic strain after the flow:
    // P F^T = J sigma, here the Kirchhoff stress, of size sqrt(2/3) of the yield stress.
    const Matrix3d F = state.F(), tau = State::square(gradient(energy, state)) * F.transpose();
    const double yield = state.number("yield_stress") + state.number("hardening") * updated["plastic_strain"][0];
    const Matrix3d deviator = tau - tau.trace() / 3 * Matrix3d::Identity();
    EXPECT_NEAR(deviator.norm(), std::sqrt(2.0 / 3) * yield, 1e-6 * yield);
    EXPECT_NEAR((tau - tau.transpose()).norm(), 0, 1e-6 * yield);
    const Matrix3d elastic = F * State::square(updated["plastic_inverse"]);
    const double mean = std::log(elastic.determinant()) / 3,
                 kappa = state.number("E") / (3 * (1 - 2 * state.number("nu")));
    EXPECT_NEAR(tau.trace() / 3, 3 * kappa * mean, 1e-6 * yield);
    // Flow keeps the volume.
    EXPECT_NEAR(State::square(updated["plastic_inverse"]).determinant(), 1, 1e-13);

    state = default_state(energy, flat(stretched(1.1, 1.02, 0.93) * stretched(0.95, 1.1, 1.0)));
    for (const auto& [name, values] : updated) state.inputs[name] = values;
  }
}

// Held at one strain, the stress that relaxes falls off like exp(-t / tau); its step takes 1 / (1 + h / tau) of it.
TEST(StandardLinearSolid, RelaxesInItsTime) {
  const ir::Energy energy = find_energy("standard_linear_solid");
  State state = default_state(energy, flat(stretched(1.2, 1.0, 0.9)));
  const double h = 0.002, tau = state.number("tau");
  state.inputs["time_step"] = {h};
  const double all = density(energy, state);
  const auto steps = static_cast<int>(tau / h);
  for (int step = 0; step < steps; ++step) {
    const Numbers slots = state.slots(energy);
    const Numbers after = ir::evaluate<double>(energy.graph, energy.inputs[0].update, std::span<const double>(slots));
    EXPECT_NEAR((State::square(after) - reference_viscous_strain(state)).norm(), 0, 1e-15);
    state.inputs["viscous_strain"] = after;
  }
  State relaxed = state;
  relaxed.inputs["mu_v"] = {0};
  const double part = (density(energy, state) - density(energy, relaxed)) / (all - density(energy, relaxed));
  EXPECT_NEAR(part, std::exp(-2), 0.02 * std::exp(-2));  // the energy goes with the square of the stress
}

TEST(Plasticity, NothingFlowsBelowTheYieldStress) {
  const ir::Energy energy = find_energy("von_mises_plasticity");
  State state = default_state(energy, flat(stretched(1.002, 1, 0.998)));
  state.inputs["plastic_inverse"] = flat(turned(0.3, {1, 1, 0}));
  const Numbers slots = state.slots(energy);
  for (const ir::Input& input : energy.inputs)
    EXPECT_EQ(ir::evaluate<double>(energy.graph, input.update, std::span<const double>(slots)),
              state.inputs[input.name]);
}

}  // namespace
}  // namespace proxima::dsl::examples
