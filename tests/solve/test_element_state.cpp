// What output shows of elements, against identities that hold for any energy: the power of the stress is the rate of
// the energy, the product of the stretches is the change of measure, the densities sum to the energy.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numeric>

#include "runtime/solve/objective/objective.hpp"
#include "tests/solve/element_models.hpp"

namespace proxima {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The model with its elements listed in the mesh, as those of a scene are.
model::Model listed_model(const std::string& name) {
  model::Model model = bodies::make_element_model(name);
  model.mesh.blocks.clear();
  for (auto& region : model.regions) {
    region.numbers.resize(region.elements.count());
    std::iota(region.numbers.begin(), region.numbers.end(), 0);
    auto& block = mesh::make_block(model.mesh, region.elements.shape);
    block.elements = region.elements;
    block.tags.assign(region.elements.count(), 0);
  }
  return model;
}

class ElementStates : public testing::TestWithParam<const char*> {
 protected:
  // Volume, area or length of each element where the nodes are at `positions`.
  std::vector<double> measures(const std::vector<double>& positions) const {
    std::vector<mesh::Vector3> nodes(positions.size() / 3);
    for (std::size_t i = 0; i < positions.size(); ++i) nodes[i / 3][i % 3] = positions[i];
    const auto rest = mesh::rest_geometry(model.regions[0].elements, nodes, "moved");
    std::vector<double> result(model.regions[0].elements.count());
    for (std::size_t item = 0; item < rest.measure.size(); ++item)
      result[item / static_cast<std::size_t>(rest.points)] += rest.measure[item];
    return result;
  }

  std::vector<double> waved(double amplitude) const {
    auto result = model.initial_positions;
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] += amplitude * std::sin(1.7 * static_cast<double>(i) + 0.3);
    return result;
  }

  model::Model model = listed_model(GetParam());
  jit::Engine engine;
  solve::Objective objective{model, engine, factor::Storage::fp64};
  std::vector<double> x = waved(0.08);
};

// For a velocity field v = L y with L symmetric: dE/dt = sum over elements of sigma : L times the measure now.
TEST_P(ElementStates, StressHasThePowerOfTheForces) {
  Matrix3d L;
  L << 0.3, 0.7, -0.2, 0.7, -0.4, 0.5, -0.2, 0.5, 0.9;
  std::vector<double> gradient(x.size());
  objective.add_elastic_gradient(x, gradient);
  double expected = 0;
  for (std::size_t n = 0; n < x.size() / 3; ++n) expected += Vector3d(&gradient[3 * n]).dot(L * Vector3d(&x[3 * n]));
  const auto state = objective.element_state(x);
  const auto now = measures(x);
  double power = 0;
  for (std::size_t e = 0; e < now.size(); ++e) {
    const double* s = &state.stress[6 * e];
    Matrix3d sigma;
    sigma << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
    power += now[e] * sigma.cwiseProduct(L).sum();
  }
  EXPECT_NEAR(power, expected, 1e-12 * std::abs(expected));
  EXPECT_GT(std::abs(expected), 1e-3);
}

TEST_P(ElementStates, DensitiesSumToTheEnergy) {
  const auto state = objective.element_state(x);
  const auto rest = measures(model.initial_positions);
  const double expected = objective.stored_energy(x);
  EXPECT_NEAR(std::inner_product(rest.begin(), rest.end(), state.density.begin(), 0.0), expected, 1e-12 * expected);
}

TEST_P(ElementStates, StretchesMultiplyToTheChangeOfMeasure) {
  // One linear map of the whole body, so that the mean over points of an element is the map itself.
  Matrix3d A;
  A << 1.3, 0.2, -0.1, 0.4, 0.8, 0.3, 0.1, -0.2, 1.1;
  std::vector<double> mapped(x.size());
  for (std::size_t n = 0; n < x.size() / 3; ++n)
    Vector3d::Map(&mapped[3 * n]) = A * Vector3d(model.mesh.nodes[n].data());
  const auto state = objective.element_state(mapped);
  const auto rest = measures(model.initial_positions), now = measures(mapped);
  for (std::size_t e = 0; e < rest.size(); ++e) {
    double product = 1, before = INFINITY;
    int count = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double stretch = state.stretches[3 * e + k];
      if (std::isnan(stretch)) continue;
      EXPECT_LE(stretch, before);
      before = stretch;
      product *= stretch;
      ++count;
    }
    EXPECT_EQ(count, mesh::shape_row(model.regions[0].elements.shape).dimension);
    EXPECT_NEAR(product, now[e] / rest[e], 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ElementStates, testing::Values("tetrahedra", "hexahedra", "triangles", "edges"),
                         [](const auto& row) { return std::string(row.param); });

TEST(ElementState, LeavesDissipationOut) {
  const auto plain = listed_model("tetrahedra");
  const auto viscous = bodies::make_element_model("several_energies");
  ASSERT_EQ(viscous.regions.size(), 2u);
  jit::Engine engine;
  auto x = plain.initial_positions;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += 0.05 * std::sin(static_cast<double>(i));
  const auto one = solve::Objective(plain, engine).element_state(x);
  const auto two = solve::Objective(viscous, engine).element_state(x);
  EXPECT_EQ(one.stress, two.stress);
  EXPECT_EQ(one.density, two.density);
}

TEST(ElementState, AnInvertedSolidHasANegativeStretch) {
  const auto model = listed_model("tetrahedra");
  jit::Engine engine;
  auto mirrored = model.initial_positions;
  for (std::size_t i = 0; i < mirrored.size(); i += 3) mirrored[i] = -mirrored[i];
  const auto state = solve::Objective(model, engine).element_state(mirrored);
  for (std::size_t e = 0; e < state.stretches.size(); e += 3) {
    EXPECT_NEAR(state.stretches[e], 1, 1e-12);
    EXPECT_NEAR(state.stretches[e + 2], -1, 1e-12);
  }
}

// Textbook values: |s| under uniaxial stress, sqrt(3) tau under shear, nothing under pressure.
TEST(VonMises, IsTheEquivalentUniaxialStress) {
  using Six = std::array<double, 6>;
  const auto of = [](const Six& stress) { return solve::von_mises(stress); };
  EXPECT_DOUBLE_EQ(of({-7, 0, 0, 0, 0, 0}), 7);
  EXPECT_DOUBLE_EQ(of({0, 0, 0, 0, 2, 0}), 2 * std::sqrt(3));
  EXPECT_DOUBLE_EQ(of({5, 5, 5, 0, 0, 0}), 0);
  EXPECT_DOUBLE_EQ(of({5, 12, 5, 0, 0, 0}), 7);
}

}  // namespace
}  // namespace proxima
