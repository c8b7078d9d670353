// What must not change a result: how the scene is turned, and in which order its bodies and elements are listed.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "runtime/solve/step/rollout.hpp"
#include "tests/solve/bodies.hpp"

namespace proxima {
namespace {

constexpr int steps = 4;

std::vector<double> last_positions(const model::Model& model) {
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  return solve::simulate(objective, model, {.tolerance = 1e-11}, solve::initial_state(model)).back().positions;
}

void expect_equal(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  double distance = 0;
  for (std::size_t i = 0; i < found.size(); ++i) distance = std::max(distance, std::abs(found[i] - expected[i]));
  EXPECT_LT(distance, 1e-10);
}

TEST(Scene, TurnedGivesTheTurnedResult) {
  model::Model model = bodies::make_mixed_scene(steps);
  const auto straight = last_positions(model);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, -2, 0.5).normalized()).toRotationMatrix();
  const auto rotate = [&](double* v) {
    Eigen::Map<Eigen::Vector3d> vector(v);
    vector = (turn * vector).eval();
  };
  const auto rotate_all = [&](std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); i += 3) rotate(&values[i]);
  };
  for (auto& node : model.mesh.nodes) rotate(node.data());
  rotate_all(model.initial_positions);
  rotate_all(model.initial_velocities);
  rotate(model.gravity.data());
  for (auto& force : model.forces) rotate(force.force.data());
  for (auto& dirichlet : model.dirichlet) {
    rotate(dirichlet.pivot.data());
    for (auto& key : dirichlet.motion) {
      rotate(key.translation.data());
      rotate(key.rotation.data());
    }
  }
  auto expected = straight;
  rotate_all(expected);
  expect_equal(last_positions(model), expected);
}

TEST(Scene, DoesNotDependOnTheOrderOfItsRegions) {
  model::Model model = bodies::make_mixed_scene(steps);
  const auto expected = last_positions(model);
  std::swap(model.regions[0], model.regions[1]);
  expect_equal(last_positions(model), expected);
}

TEST(Scene, DoesNotDependOnTheOrderOfItsElements) {
  model::Model model = bodies::make_mixed_scene(steps);
  const auto expected = last_positions(model);
  auto& [elements, tags] = mesh::make_block(model.mesh, mesh::Shape::tetrahedron);
  const auto last = static_cast<std::int32_t>(elements.count()) - 1;
  const auto before = elements;
  for (std::int32_t tet = 0; tet <= last; ++tet) std::ranges::copy(before.of(last - tet), elements.of(tet).begin());
  for (auto& region : model.regions) {
    auto numbers = region.numbers;
    for (auto& number : numbers) number = last - number;
    std::ranges::reverse(numbers);
    for (auto& values : region.parameters) std::ranges::reverse(values);
    model::set_elements(region, model.mesh, mesh::Shape::tetrahedron, numbers);
  }
  expect_equal(last_positions(model), expected);
}

}  // namespace
}  // namespace proxima
