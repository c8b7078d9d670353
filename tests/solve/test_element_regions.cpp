// Regions of every element shape: energies, forces and products equal the interpreter's, derivatives converge at their
// order, rigid motions cost nothing, and a bar of hexahedra is the bar of tetrahedra.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/element_models.hpp"

namespace proxima {
namespace {

std::vector<double> waves(std::size_t size, double amplitude, double phase) {
  std::vector<double> v(size);
  for (std::size_t i = 0; i < size; ++i) v[i] = amplitude * std::sin(1.7 * static_cast<double>(i) + phase);
  return v;
}

std::vector<double> moved(const std::vector<double>& x, const std::vector<double>& direction, double h) {
  auto result = x;
  for (std::size_t i = 0; i < x.size(); ++i) result[i] += h * direction[i];
  return result;
}

class ElementShapes : public testing::TestWithParam<const char*> {
 protected:
  std::vector<double> gradient(const std::vector<double>& at) const {
    std::vector<double> result(at.size());
    objective.add_elastic_gradient(at, result);
    return result;
  }
  std::vector<double> hessian_vector(const std::vector<double>& at, const std::vector<double>& p) const {
    std::vector<double> result(at.size());
    objective.add_full_hessian_vector(at, p, result);
    objective.clear_held(result);
    return result;
  }
  model::Model model = bodies::make_element_model(GetParam());
  jit::Engine engine;
  solve::Objective objective{model, engine, factor::Storage::fp64};
  std::vector<double> x = moved(model.initial_positions, waves(model.initial_positions.size(), 1, 0.3), 0.08);
  std::vector<double> direction = waves(x.size(), 1, 1.1);
};

TEST_P(ElementShapes, EqualTheInterpreter) {
  const auto expected = bodies::interpret(model, x, direction, model.initial_positions);
  const auto force = gradient(x), image = hessian_vector(x, direction);
  EXPECT_NEAR(objective.elastic_energy(x).value, expected.energy, 1e-13 * std::abs(expected.energy));
  EXPECT_GT(std::abs(expected.energy), 1e-3);
  const double force_size = device::norm(expected.gradient), image_size = device::norm(expected.hessian_vector);
  EXPECT_GT(force_size, 1e-2);
  EXPECT_GT(image_size, 1e-2);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(force[i], expected.gradient[i], 1e-13 * force_size);
    EXPECT_NEAR(image[i], expected.hessian_vector[i], 1e-13 * image_size);
  }
}

TEST_P(ElementShapes, AssembleTheirHessian) {
  auto p = direction;
  objective.clear_held(p);
  std::vector<double> expected(x.size()), image(x.size());
  objective.hessian_vector(x, p, expected);
  objective.linearise(x);
  for (int product = 0; product < 12; ++product) {  // the first by kernels, the last by the matrix
    objective.hessian_product(p, image);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(image[i], expected[i], 1e-13 * device::norm(expected));
  }
}

TEST_P(ElementShapes, ConvergeAtTheirOrder) {
  const double slope = device::dot(gradient(x), direction);
  const auto energy_error = [&](double h) {
    return std::abs(objective.elastic_difference(x, moved(x, direction, h)).value - h * slope);
  };
  EXPECT_GT(std::log10(energy_error(1e-3) / energy_error(1e-4)), 1.9);
  const auto force = gradient(x), image = hessian_vector(x, direction);
  const auto force_error = [&](double h) {
    auto error = gradient(moved(x, direction, h));
    for (std::size_t i = 0; i < error.size(); ++i) error[i] -= force[i] + h * image[i];
    return device::norm(error);
  };
  EXPECT_GT(std::log10(force_error(1e-3) / force_error(1e-4)), 1.9);
}

// The energies are linear in their parameters, so differences are exact but for rounding.
TEST_P(ElementShapes, PullBackToTheirParameters) {
  std::vector<solve::RegionGradient> back;
  for (const auto& region : model.regions) back.push_back(solve::zero_gradient(region));
  objective.add_pull_back(x, direction, back);
  const double slope = device::dot(gradient(x), direction);
  for (std::size_t r = 0; r < model.regions.size(); ++r)
    for (std::size_t k = 0; k < model.regions[r].parameters.size(); ++k) {
      const auto& slopes = back[r].parameters[k];
      ASSERT_EQ(slopes.size(), model.regions[r].parameters[k].size());
      for (const std::size_t e : {std::size_t{0}, slopes.size() - 1}) {
        model::Model changed = model;
        changed.regions[r].parameters[k][e] += 0.5;
        objective.set_values(changed);
        EXPECT_NEAR(0.5 * slopes[e], device::dot(gradient(x), direction) - slope, 1e-11) << r << " " << k;
        EXPECT_NE(slopes[e], 0);
      }
      objective.set_values(model);
    }
}

TEST_P(ElementShapes, AreUndeformedByRigidMotions) {
  auto turned = model.initial_positions;
  const double c = std::cos(0.7), s = std::sin(0.7);
  for (std::size_t i = 0; i < turned.size(); i += 3) {
    const double a = turned[i], b = turned[i + 1];
    turned[i] = c * a - s * b + 2;
    turned[i + 1] = s * a + c * b - 1;
    turned[i + 2] += 0.5;
  }
  for (const double force : gradient(turned)) EXPECT_NEAR(force, 0, 1e-12);
  EXPECT_NEAR(objective.elastic_energy(turned).value, 0, 1e-12);
}

TEST_P(ElementShapes, AreStepped) {
  bodies::stir(model, 0.1);
  auto state = solve::initial_state(model);
  solve::StepSettings settings;
  settings.tolerance = 1e-9;
  double before = 0;
  for (int step = 0; step < 4; ++step) {
    const auto report = solve::advance(objective, model, step, settings, state);
    EXPECT_LE(report.residual, 1e-9);
    const double energy = report.elastic_energy + report.kinetic_energy;
    if (step > 0) {
      EXPECT_LT(energy, before);
    }
    before = energy;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ElementShapes,
                         testing::Values("tetrahedra", "hexahedra", "triangles", "edges", "hinges", "sheet",
                                         "several_energies"),
                         [](const auto& chosen) { return std::string(chosen.param); });

// A bar that is stretched by 30 % and turned by a quarter at its ends, which bulge: its energy at rest there.
double stretched_energy(bool hexahedra, int refine) {
  model::Model model = bodies::make_bar(4 * refine, 0.04, 2 * refine);
  if (hexahedra) {
    const auto box = mesh::make_hexahedra({4 * refine, 2 * refine, 2 * refine}, {0, 0, 0}, {0.1, 0.04, 0.04});
    EXPECT_EQ(box.nodes, model.mesh.nodes);
    model.mesh.blocks.clear();
    model.regions[0].numbers.clear();
    model.regions[0].elements = box.blocks[0].elements;
  }
  bodies::hold_end(model, false);
  bodies::hold_end(model, true, {{0, {0.03, 0, 0}, {1.5, 0, 0}}});
  model.time_step = 100;  // no inertia: statics
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  auto state = solve::initial_state(model);
  for (std::size_t i = 0; i < state.positions.size(); i += 3) {  // about there, so that no element starts inside out
    const double share = model.mesh.nodes[i / 3][0] / 0.1, angle = 1.5 * share;
    const double y = model.mesh.nodes[i / 3][1] - 0.02, z = model.mesh.nodes[i / 3][2] - 0.02;
    state.positions[i] = 0.13 * share;
    state.positions[i + 1] = 0.02 + std::cos(angle) * y - std::sin(angle) * z;
    state.positions[i + 2] = 0.02 + std::sin(angle) * y + std::cos(angle) * z;
  }
  solve::StepSettings settings;
  settings.tolerance = 1e-8;
  return solve::advance(objective, model, 0, settings, state).elastic_energy;
}

TEST(Hexahedra, AgreeWithTetrahedraWithinDiscretisationError) {
  const double coarse_tets = stretched_energy(false, 1), coarse_cubes = stretched_energy(true, 1);
  const double fine_tets = stretched_energy(false, 3), fine_cubes = stretched_energy(true, 3);
  const double coarse = coarse_tets - coarse_cubes, fine = fine_tets - fine_cubes;
  // Tets are stiffer, and both come down to the same energy, the gap by nearly 9 when the edges are divided by 3.
  EXPECT_GT(fine, 0);
  EXPECT_LT(fine, coarse / 6);
  EXPECT_LT(fine, 0.04 * fine_cubes);
  EXPECT_LT(fine_cubes, coarse_cubes);
}

}  // namespace
}  // namespace proxima
