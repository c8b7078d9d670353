// Strain measures, directions, histories, dissipation, projections: what the traced energy says, and its values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <proxima/dsl.hpp>

#include "compiler/dsl/trace.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/ir/operators.hpp"

namespace {

using namespace proxima::dsl;
namespace ir = proxima::ir;
using testing::DoubleNear;
using testing::ElementsAre;

std::vector<double> values(const ir::Energy& energy, const std::vector<ir::NodeId>& nodes,
                           const std::vector<double>& inputs) {
  EXPECT_EQ(inputs.size(), energy.slots());
  return ir::evaluate<double>(energy.graph, nodes, std::span<const double>(inputs));
}
double density(const ir::Energy& energy, const std::vector<double>& inputs) {
  return values(energy, {energy.density}, inputs)[0];
}
const ir::Input& input(const ir::Energy& energy, ir::InputKind kind) {
  const ir::Input* found = energy.find(kind);
  if (found == nullptr) throw std::runtime_error("no such input");
  return *found;
}

// The order in which things are asked for is not that of the slots.
PROXIMA_ENERGY(muscle_edge) {
  auto rest = rest_length();
  auto k = parameter("k", newton, 10).positive();
  auto a = signal("activation", dimensionless, 0.25).between(-0.1, 1);
  auto x = edge_vector();
  return 0.5 * k / rest * square(norm(x) - (1 - a) * rest);
}

TEST(Inputs, AnEdgeHasItsRestLength) {
  const ir::Energy energy = find_energy("muscle_edge");
  EXPECT_EQ(energy.measure, ir::Measure::edge_vector);
  EXPECT_EQ(energy.strain_components(), 3u);
  ASSERT_EQ(energy.parameters.size(), 2u);
  EXPECT_FALSE(energy.parameters[0].varies_in_time);
  EXPECT_TRUE(energy.parameters[1].varies_in_time);
  EXPECT_EQ(energy.parameters[1].lower, -0.1);
  ASSERT_EQ(energy.inputs.size(), 1u);
  EXPECT_EQ(energy.inputs[0].kind, ir::InputKind::rest_length);
  EXPECT_EQ(energy.inputs[0].components, 1u);
  EXPECT_DOUBLE_EQ(density(energy, {2, 1, 2, 10, 0.25, 2}), 0.5 * 10 / 2 * 1.5 * 1.5);
}

PROXIMA_ENERGY(four_nodes) {
  auto X = rest_positions<4>();
  auto x = node_positions<4>();
  Scalar sum = 0;
  for (int i = 0; i < 4; ++i) sum += (i + 1) * squared_norm(x[i] - X[i]);
  return sum + x[3][1] * X[0](2);
}

TEST(Inputs, AStencilHasItsPositions) {
  const ir::Energy energy = find_energy("four_nodes");
  EXPECT_EQ(energy.measure, ir::Measure::node_positions);
  EXPECT_EQ(energy.stencil, 4u);
  EXPECT_EQ(energy.strain_components(), 12u);
  EXPECT_EQ(input(energy, ir::InputKind::rest_positions).components, 12u);
  std::vector<double> state(24);
  for (std::size_t k = 0; k < 24; ++k) state[k] = std::sin(static_cast<double>(k));
  double expected = state[10] * state[14];
  for (std::size_t k = 0; k < 12; ++k) {
    const std::size_t node = k / 3;
    expected += static_cast<double>(node + 1) * (state[k] - state[12 + k]) * (state[k] - state[12 + k]);
  }
  EXPECT_NEAR(density(energy, state), expected, 1e-14);
}

PROXIMA_ENERGY(one_node) { return squared_norm(node_positions<1>()[0]); }

TEST(Inputs, AStencilMayBeAPoint) { EXPECT_EQ(density(find_energy("one_node"), {1, 2, 3}), 14); }

PROXIMA_ENERGY(membrane_with_fibres) {
  auto F = surface_deformation_gradient();
  auto a = direction("fibre", {0, 3, 4});
  auto b = direction("other");
  return dot(a, b) + F(2, 1) + 10 * trace(transpose(F) * F) + identity<2>()(1, 1);
}

TEST(Inputs, AMembraneHasSixComponentsAndDirectionsAreUnitVectors) {
  const ir::Energy energy = find_energy("membrane_with_fibres");
  EXPECT_EQ(energy.measure, ir::Measure::surface_deformation_gradient);
  EXPECT_EQ(energy.strain_components(), 6u);
  ASSERT_EQ(energy.inputs.size(), 2u);
  EXPECT_EQ(energy.inputs[0].name, "fibre");
  EXPECT_THAT(energy.inputs[0].initial, ElementsAre(0, DoubleNear(0.6, 1e-16), DoubleNear(0.8, 1e-16)));
  EXPECT_TRUE(energy.inputs[1].initial.empty());
  EXPECT_DOUBLE_EQ(density(energy, {1, 0, 2, 0, 0, 3, 1, 2, 3, 4, 5, 6}), 32 + 3 + 140 + 1);
}

PROXIMA_ENERGY(remembers) {
  auto Fp = history("plastic", identity());
  auto F = deformation_gradient();
  auto count = history("count", 0.5);
  auto mu = parameter("mu", pascal, 1);
  update(count, count + time_step());
  update(Fp, F * Fp);
  return mu * squared_norm(F * Fp) + count;
}

TEST(Inputs, AHistoryHasAnInitialValueAndAnUpdate) {
  const ir::Energy energy = find_energy("remembers");
  ASSERT_EQ(energy.inputs.size(), 3u);
  EXPECT_EQ(energy.inputs[0].name, "plastic");
  EXPECT_THAT(energy.inputs[0].initial, ElementsAre(1, 0, 0, 0, 1, 0, 0, 0, 1));
  EXPECT_THAT(energy.inputs[1].initial, ElementsAre(0.5));
  EXPECT_EQ(energy.inputs[2].kind, ir::InputKind::time_step);
  EXPECT_EQ(energy.input_slot(2), 20u);
  const std::vector<double> state = {1, 2, 0, 0, 1, 0, 0, 0, 1,           /*mu*/ 3,  2,
                                     0, 0, 0, 1, 0, 0, 0, 1, /*count*/ 7, /*h*/ 0.25};
  EXPECT_DOUBLE_EQ(density(energy, state), 3 * (4 + 4 + 1 + 1) + 7);
  EXPECT_THAT(values(energy, energy.inputs[0].update, state), ElementsAre(2, 2, 0, 0, 1, 0, 0, 0, 1));
  EXPECT_THAT(values(energy, energy.inputs[1].update, state), ElementsAre(7.25));
}

PROXIMA_DISSIPATION(kelvin_voigt) {
  auto eta = parameter("eta", pascal_second, 2);
  auto F = deformation_gradient();
  auto C = transpose(F) * F;
  return eta * squared_norm(rate(C)) + previous(F(0, 1));
}

TEST(Inputs, ADissipationIsOfRates) {
  const ir::Energy energy = find_energy("kelvin_voigt");
  EXPECT_TRUE(energy.dissipation);
  EXPECT_FALSE(find_energy("remembers").dissipation);
  EXPECT_EQ(input(energy, ir::InputKind::previous_strain).components, 9u);
  EXPECT_EQ(input(energy, ir::InputKind::time_step).components, 1u);
  EXPECT_EQ(energy.slots(), 9u + 1 + 9 + 1);
  // The diagonal of C from (1, 4, 9) to (4, 4, 9) in half a second.
  EXPECT_DOUBLE_EQ(density(energy, {2, 0, 0, 0, 2, 0, 0, 0, 3, 2, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0.5}), 2 * 36);
  // A rigid rotation dissipates nothing.
  EXPECT_NEAR(density(energy, {0, -1, 0, 1, 0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5}), 0, 1e-15);
}

PROXIMA_ENERGY(as_rigid_as_possible) {
  auto F = deformation_gradient();
  return projection(parameter("w", pascal, 4), F, closest_rotation(F));
}
PROXIMA_ENERGY(rod) {
  auto x = edge_vector();
  return projection(parameter("k", newton_per_metre, 4), x, closest_on_sphere(x, rest_length()));
}
PROXIMA_ENERGY(cell) {
  auto w = parameter("w", pascal, 4);
  auto a = signal("a", dimensionless, 1).positive();
  auto F = deformation_gradient();
  return projection(w, F, closest_with_determinant(F, a));
}
PROXIMA_ENERGY(limited) {
  auto F = surface_deformation_gradient();
  return projection(parameter("w", newton_per_metre, 4), F, closest_within_stretches(F, 0.9, 1.1));
}
PROXIMA_ENERGY(limited_solid) {
  auto F = deformation_gradient();
  return projection(parameter("w", pascal, 4), F, closest_within_stretches(F, 0.9, 1.1));
}
PROXIMA_ENERGY(two_projections) {
  auto F = deformation_gradient();
  auto w = parameter("w", pascal, 4);
  return projection(w, F, closest_rotation(F)) + projection(3 * w, F, identity());
}

TEST(Projections, HaveAWeightAndAClosestPoint) {
  const ir::Energy energy = find_energy("rod");
  ASSERT_TRUE(energy.projection);
  EXPECT_DOUBLE_EQ(density(energy, {0, 3, 4, 10, 2}), 0.5 * 10 * 9);
  EXPECT_EQ(values(energy, {energy.projection->weight}, {0, 3, 4, 10, 2})[0], 10);
  EXPECT_THAT(values(energy, energy.projection->closest, {0, 3, 4, 10, 2}),
              ElementsAre(0, DoubleNear(1.2, 1e-15), DoubleNear(1.6, 1e-15)));

  const ir::Energy arap = find_energy("as_rigid_as_possible");
  ASSERT_TRUE(arap.projection);
  EXPECT_NEAR(density(arap, {0, -2, 0, 1.5, 0, 0, 0, 0, 3, 10}), 5 * (1 + 0.25 + 4), 1e-14);
}

TEST(Projections, AreOnTheSetsOfTheLanguage) {
  // det(2 I) = 8: the closest matrix of determinant 8 to it is itself; that of determinant 4 is 4^(1/3) I.
  EXPECT_NEAR(density(find_energy("cell"), {2, 0, 0, 0, 2, 0, 0, 0, 2, 10, 8}), 0, 1e-14);
  EXPECT_NEAR(density(find_energy("cell"), {2, 0, 0, 0, 2, 0, 0, 0, 2, 10, 4}), 5 * 3 * std::pow(2 - std::cbrt(4), 2),
              1e-13);
  // Stretches 1.5 and 0.7 of a plane that has turned: 0.4 too long and 0.2 too short.
  EXPECT_NEAR(density(find_energy("limited"), {0, -0.7, 1.5, 0, 0, 0, 10}), 5 * (0.16 + 0.04), 1e-14);
  EXPECT_NEAR(density(find_energy("limited_solid"), {0, -0.7, 0, 1.5, 0, 0, 0, 0, 1, 10}), 5 * (0.16 + 0.04), 1e-14);
}

TEST(Projections, MayBeAdded) {
  const ir::Energy energy = find_energy("two_projections");
  EXPECT_FALSE(energy.projection);
  EXPECT_NEAR(density(energy, {2, 0, 0, 0, 1, 0, 0, 0, 1, 10}), 5 + 15, 1e-14);
}

}  // namespace
