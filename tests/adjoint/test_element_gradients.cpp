// Gradients of rollouts on other elements than tets, with direction fields, actuations and several energies at once;
// refused where an energy has a history.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/adjoint.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/optimize/gradcheck.hpp"
#include "tests/adjoint/taylor.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/element_models.hpp"

namespace proxima {
namespace {

constexpr int steps = 4;
constexpr solve::StepSettings exact{.tolerance = 1e-13};
constexpr adjoint::AdjointSettings exact_adjoint{.tolerance = 1e-12, .max_cg = 5000};

// A bar of hexahedra; or a cloth with a stiffer direction that is pulled tighter in time, threads and folds.
model::Model make_scene(const std::string& name) {
  if (name == "hexahedra") {
    model::Model bar = bodies::make_bar(4, 0.04, 2);
    const auto box = mesh::make_hexahedra({4, 2, 2}, {0, 0, 0}, {0.1, 0.04, 0.04});
    bar.mesh.blocks.clear();
    bar.regions[0].numbers.clear();
    bar.regions[0].elements = box.blocks[0].elements;
    auto& mu = bar.regions[0].parameters[0];
    mu.resize(box.blocks[0].elements.count(), mu[0]);
    bodies::hold_end(bar, false, {{0, {}, {}}, {0.05, {0.01, 0.005, 0}, {0.6, 0.2, 0}}});
    bodies::stir(bar, 0.3);
    bar.steps = steps;
    return bar;
  }
  model::Model model = bodies::make_element_model(name);
  for (auto& region : model.regions) {
    if (region.energy->name != "membrane") continue;
    auto energy = std::make_shared<ir::Energy>(*region.energy);
    energy->parameters[0].varies_in_time = true;
    region.energy = energy;
    region.parameters[0] = {5};
    region.signals = {{{0.1, 5}, {0.3, 8}}, {}};
    region.directions = {{}};
    for (std::size_t e = 0; e < region.elements.count(); ++e)
      region.directions[0].push_back({std::cos(0.3 * static_cast<double>(e)), 1, 0.2});
  }
  model.dirichlet = {{{0, 1}, {}, {{0, {}, {}}, {0.3, {0.2, 0.1, 0}, {}}}}};
  model.gravity = {0, 0, -1};
  model.steps = steps;
  bodies::stir(model, 0.2);
  return model;
}

class ElementGradients : public testing::TestWithParam<const char*> {
 protected:
  double loss_of(const model::Model& changed) { return test::rollout_loss(engine, changed, exact, loss); }
  template <class Apply>
  void check(std::span<const double> x, std::span<const double> slope, std::span<const double> direction, Apply apply) {
    test::expect_gradient(
        model, [&](const model::Model& changed) { return loss_of(changed); }, x, slope, direction, apply);
  }
  jit::Engine engine;
  model::Model model = make_scene(GetParam());
  adjoint::RecordedMotion loss{{{2, model.initial_positions}, {steps, model.initial_positions}},
                               adjoint::uniform_weights(model.mesh.nodes.size())};
};

TEST_P(ElementGradients, PassTheTaylorTest) {
  const solve::Objective objective(model, engine);
  const auto gradient =
      adjoint::rollout_gradient(objective, model, exact, exact_adjoint, loss, solve::initial_state(model));
  const auto& x = model.initial_positions;
  check(x, gradient.positions, test::waves(x.size(), std::string(GetParam()) == "hexahedra" ? 5e-3 : 0.05),
        [](model::Model& changed, auto moved) { changed.initial_positions.assign(moved.begin(), moved.end()); });
  for (std::size_t r = 0; r < model.regions.size(); ++r) {
    const auto& region = model.regions[r];
    SCOPED_TRACE(region.name);
    for (std::size_t k = 0; k < region.parameters.size(); ++k) {
      if (model::varies_in_time(region, k)) continue;
      SCOPED_TRACE(region.energy->parameters[k].name);
      const auto& values = region.parameters[k];
      const auto direction = values.size() > 1 ? test::waves(values.size(), values[0]) : std::vector<double>{values[0]};
      check(values, gradient.parameters[r][k], direction, [&](model::Model& changed, auto moved) {
        changed.regions[r].parameters[k].assign(moved.begin(), moved.end());
      });
    }
    if (region.density == 0) continue;
    check(std::array{region.density}, std::array{gradient.densities[r]}, std::array{region.density},
          [&](model::Model& changed, auto moved) { changed.regions[r].density = moved[0]; });
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ElementGradients, testing::Values("hexahedra", "triangles", "edges", "sheet"),
                         [](const auto& chosen) { return std::string(chosen.param); });

TEST(ElementGradient, IsRefusedWhereAnEnergyHasAHistory) {
  const model::Model model = bodies::make_element_model("hexahedra");
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  const adjoint::CentreTarget loss(1, {0, 0, 0}, adjoint::uniform_weights(model.mesh.nodes.size()));
  EXPECT_THAT(
      [&] { adjoint::rollout_gradient(objective, model, exact, exact_adjoint, loss, solve::initial_state(model)); },
      testing::ThrowsMessage<Error>(
          testing::AllOf(testing::HasSubstr("material 'body'"), testing::HasSubstr("has a history"))));
}

}  // namespace
}  // namespace proxima
