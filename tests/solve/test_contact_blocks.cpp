// What contacts add to H, contact by contact, against differences of the forces that they leave on nodes; and products
// with it on both devices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/contact/contact_operator.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/solve/contact_run.hpp"
#include "tests/solve/near.hpp"
#include "tests/solve/touching_scenes.hpp"

namespace proxima {
namespace {

using Vector = std::vector<double>;

// Contacts as they are at the end of some steps of a scene, by a force along the normal of each.
class ContactBlocks : public testing::TestWithParam<const char*> {
 protected:
  ContactBlocks() {
    const auto states = test::run(objective, model, {.tolerance = 1e-8}).states;
    const auto& before = states[states.size() - 2];
    x = states.back().positions;
    start = before.positions;
    const double end = model.time_step * static_cast<double>(states.size() - 1);
    objective.enter_step({end, model.time_step, start, before.history});
    contacts.emplace(objective, contact::StepSpan{end - model.time_step, end, start}, before.velocities);
    contacts->add_near(x);
    for (std::size_t c = 0; c < contacts->size(); ++c) pressed.push_back(1 + 0.1 * static_cast<double>(c % 7));
  }

  Vector random(std::size_t size) {
    Vector result(size);
    for (double& number : result) number = std::normal_distribution<double>()(generator);
    return result;
  }
  // -W^T of the forces at other positions, on all nodes.
  Vector left_on_nodes(const Vector& positions) const {
    const auto at = contacts->at(positions);
    Vector forces(3 * at.size()), result(positions.size());
    for (std::size_t c = 0; c < at.size(); ++c) mesh::add_at(forces, c, pressed[c], at[c].normal);
    solve::add_forces(contacts->keys(), at, forces, -1, result);
    objective.clear_held(result);
    return result;
  }

  std::mt19937 generator{7};
  jit::Engine engine;
  model::Model model = bodies::touching_scenes().at(GetParam())();
  solve::Objective objective{model, engine};
  std::optional<solve::ContactSet> contacts;
  Vector x, start, pressed;
};

TEST_P(ContactBlocks, AreTheCurvatureOfGaps) {
  ASSERT_GT(contacts->size(), 0u);
  const solve::ContactOperator<solve::Objective> added(objective, contacts->keys(),
                                                       solve::curvature(*contacts, x, contacts->at(x), pressed));
  Vector v = random(x.size());
  objective.clear_held(v);
  Vector product(x.size());
  added.add_moves(v, product);
  // Central differences, which come nearer with the square of their step.
  Vector errors;
  for (const double step : {1e-5, 5e-6}) {
    Vector to = x, from = x;
    device::add_scaled(to, step, v);
    device::add_scaled(from, -step, v);
    Vector difference = left_on_nodes(to);
    device::add_scaled(difference, -1, left_on_nodes(from));
    device::divide(difference, 2 * step);
    device::add_scaled(difference, -1, product);
    errors.push_back(device::norm(difference));
  }
  const double scale = 1 + device::norm(product);
  EXPECT_LT(errors[1], 1e-3 * scale);
  if (errors[1] > 1e-8 * scale) {
    EXPECT_LT(errors[1], 0.35 * errors[0]);
  }
}

TEST_P(ContactBlocks, MultiplyAlikeOnBothDevices) {
  device::testing::CudaShimEngine shim;
  solve::Objective there(model, engine);
  there.use(shim.engine);
  std::vector<solve::ContactBlock> blocks(contacts->size());
  for (auto& block : blocks) {
    std::ranges::copy(random(block.by_moves.size()), block.by_moves.begin());
    std::ranges::copy(random(block.by_forces.size()), block.by_forces.begin());
  }
  there.gpu()->follow();
  const solve::ContactOperator<solve::Objective> here(objective, contacts->keys(), blocks);
  const solve::ContactOperator<solve::CudaObjective> on_gpu(*there.gpu(), contacts->keys(), blocks);
  const Vector v = random(x.size()), forces = random(3 * contacts->size());
  Vector expected = random(x.size());
  device::CudaVector found = shim.vector(expected);
  here.add_moves(v, expected);
  here.add_forces(-0.5, forces, expected);
  on_gpu.add_moves(shim.vector(v), found);
  on_gpu.add_forces(-0.5, shim.vector(forces), found);
  test::expect_near(shim.values(found), expected, 1e-13, "products");
}

INSTANTIATE_TEST_SUITE_P(Scenes, ContactBlocks, testing::Values("on_a_ball", "slides", "boxes", "tied"),
                         [](const auto& chosen) { return std::string(chosen.param); });

}  // namespace
}  // namespace proxima
