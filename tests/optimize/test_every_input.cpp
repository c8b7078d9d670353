// The gradient of a rollout by every input that its model has, on every element shape, with every integrator, through
// histories, previous strains, dampings, lagged loads and moving ends: Taylor tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "compiler/derive/local_step.hpp"
#include "compiler/support/error.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/mesh/faces.hpp"
#include "runtime/optimize/quantities.hpp"
#include "tests/adjoint/taylor.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/driven.hpp"
#include "tests/solve/element_models.hpp"
#include "tests/solve/energies.hpp"

namespace proxima {
namespace {

using optimize::Quantity;
using optimize::Target;

constexpr int steps = 5;

model::Model mixed(model::Integrator integrator) {
  model::Model model = bodies::make_mixed_scene(steps);
  model.integrator = integrator;
  model.regions[0].damping.mass = 4;
  model.regions[1].damping.mass = 1;
  for (std::size_t e = 0; e < model.regions[0].elements.count(); ++e)
    model.regions[0].damping.stiffness.push_back(2e-3 * (1.5 + std::sin(static_cast<double>(e))));
  model.regions[1].damping.stiffness = {4e-3};
  model.forces[0].factor = {{0.005, 0.6}, {0.013, 1.5}, {0.03, 1}};
  return model;
}

// Histories, previous strains, directions, a key-framed parameter where the energy may have one, and a moving end.
model::Model elements(const std::string& name) {
  model::Model model = bodies::make_element_model(name);
  auto& region = model.regions[0];
  if (region.energy->name == "membrane") {
    auto energy = std::make_shared<ir::Energy>(*region.energy);
    energy->parameters[0].varies_in_time = true;
    region.energy = energy;
    region.parameters[0] = {5};
    region.signals = {{{0.1, 5}, {0.3, 8}}, {}};
    region.directions = {{}};
    for (std::size_t e = 0; e < region.elements.count(); ++e)
      region.directions[0].push_back({std::cos(0.3 * static_cast<double>(e)), 1, 0.2});
  }
  model.dirichlet = {{{0, 1}, {0.1, 0.2, 0.3}, {{0, {}, {}}, {0.3, {0.2, 0.1, 0}, {0.3, 0.1, -0.2}}}}};
  model.gravity = {0, 0, -1};
  model.steps = steps;
  bodies::stir(model, 0.2);
  return model;
}

model::Model hexahedral_bar() {
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

// Pressed, with a pressure that has no potential, and in a current.
model::Model loaded() {
  model::Model model = bodies::make_bar(4, 0.04, 2);
  bodies::stir(model, 0.3);
  model.steps = steps;
  auto faces = mesh::boundary_triangles(model.mesh);
  mesh::Elements some = faces;
  some.nodes.resize(3 * 20);
  model.surface_loads.push_back({some, model::FollowerPressure{{{0, 2e3}, {0.03, 4e3}}}});
  model.surface_loads.push_back(
      {faces, model::Hydrodynamics{1000, {0.5, 0.2, -0.1}, {{-2, 1.5}, {0.1, 0.2}, {2, 1.1}}, {{-2, -0.4}, {2, 0.6}}}});
  return model;
}

// An end turns by more than a radian in each of the first steps: with few iterations (settings_of) they are halved.
model::Model twisted(model::Integrator integrator) {
  model::Model model = bodies::make_bar();
  bodies::hold_end(model, false);
  bodies::hold_end(model, true, {{0, {}, {}}, {0.02, {0.01, 0, 0}, {2.4, 0, 0}}});
  model.integrator = integrator;
  model.steps = steps;
  return model;
}

model::Model contrasted(double contrast, double nu) {
  model::Model model = mixed(model::Integrator::implicit_euler);
  model.forces[0].factor.clear();  // whose roundings are more than the differences of the stiffest scene bear
  bodies::set_contrast(model, contrast, nu);
  return model;
}

// Both materials springs to closest points, one of which a parameter moves.
model::Model projective() {
  model::Model model = bodies::make_mixed_scene(steps);
  for (auto& region : model.regions) {
    region.energy = bodies::projective();
    region.parameters.push_back({1.05});
  }
  return model;
}

// The mixed scene's energies by their Moreau envelopes, one with a weight of its own for each element.
model::Model proximal() {
  model::Model model = bodies::make_mixed_scene(steps);
  for (auto& region : model.regions) {
    region.energy = std::make_shared<ir::Energy>(derive::moreau_envelope(*region.energy));
    region.parameters.push_back({1.5});
  }
  auto& weights = model.regions[0].parameters.back();
  for (std::size_t e = 1; e < model.regions[0].elements.count(); ++e)
    weights.push_back(1 + 0.5 * std::sin(static_cast<double>(e)));
  return model;
}

const std::map<std::string, std::function<model::Model()>> scenes = {
    {"implicit_euler", [] { return mixed(model::Integrator::implicit_euler); }},
    {"bdf2", [] { return mixed(model::Integrator::bdf2); }},
    {"quasi_static", [] { return mixed(model::Integrator::quasi_static); }},
    {"hexahedra", hexahedral_bar},
    {"histories", [] { return elements("hexahedra"); }},
    {"several_energies", [] { return elements("several_energies"); }},
    {"triangles", [] { return elements("triangles"); }},
    {"edges", [] { return elements("edges"); }},
    {"sheet", [] { return elements("sheet"); }},
    {"loads", loaded},
    {"contrast_1_nu_45", [] { return contrasted(1, 0.45); }},
    {"contrast_1_nu_49", [] { return contrasted(1, 0.49); }},
    {"contrast_100_nu_30", [] { return contrasted(100, 0.3); }},
    {"contrast_100_nu_45", [] { return contrasted(100, 0.45); }},
    {"contrast_100_nu_49", [] { return contrasted(100, 0.49); }},
    {"contrast_1e4_nu_30", [] { return contrasted(1e4, 0.3); }},
    {"contrast_1e4_nu_45", [] { return contrasted(1e4, 0.45); }},
    {"contrast_1e4_nu_49", [] { return contrasted(1e4, 0.49); }},
    {"projective", projective},
    {"proximal", proximal},
    {"controllers", [] { return bodies::make_driven_scene(steps); }},
    {"sub_steps", [] { return twisted(model::Integrator::implicit_euler); }},
    {"sub_steps_of_bdf2", [] { return twisted(model::Integrator::bdf2); }},
};

solve::StepSettings settings_of(const std::string& scene) {
  solve::StepSettings settings{.tolerance = 1e-13};
  // Down to the last bit: the rounding of the stiff part, in units of the soft one, is what differences see.
  if (scene.starts_with("contrast")) settings = {.tolerance = 1e-17, .attainable = 0.01};
  if (scene.starts_with("sub_steps")) settings.solver.max_newton = 6;
  return settings;
}

// Positions in three frames, velocities in two, held nodes too.
class Motion : public adjoint::Loss {
 public:
  explicit Motion(const std::vector<double>& rest)
      : recorded_({{1, rest}, {2, rest}, {steps, rest}}, adjoint::uniform_weights(rest.size() / 3)) {}
  double frame(int frame, std::span<const double> x, std::span<const double> v, std::span<double> by_x,
               std::span<double> by_v) const override {
    double value = recorded_.frame(frame, x, v, by_x, by_v);
    if (frame != steps && frame != 1) return value;
    for (std::size_t i = 0; i < v.size(); ++i) {
      value += 1e-5 * v[i] * v[i];
      if (!by_v.empty()) by_v[i] += 2e-5 * v[i];
    }
    return value;
  }
  int last_frame() const override { return steps; }

 private:
  adjoint::RecordedMotion recorded_;
};

class EveryInput : public testing::TestWithParam<std::string> {
 protected:
  // Something to damp, where a scene has none: a mass damping below 0 is refused.
  void SetUp() override {
    for (auto& region : model.regions)
      if (region.density > 0 && region.damping.mass == 0) region.damping.mass = 1.5;
  }
  void check(std::span<const double> x, std::span<const double> slope, std::span<const double> direction,
             const std::function<void(model::Model&, std::span<const double>)>& apply) {
    test::expect_gradient(
        model, [&](const model::Model& changed) { return test::rollout_loss(engine, changed, exact, loss); }, x, slope,
        direction, apply);
  }

  // How far its numbers are moved: to about their own size, or the body's.
  double amplitude(Quantity quantity, std::span<const double> values) const {
    const double size = GetParam() == "hexahedra" || GetParam() == "loads" || values.size() == 3 ? 0.02 : 0.05;
    if (quantity == Quantity::rest_shape || quantity == Quantity::translation) return 0.2 * size;
    if (quantity == Quantity::rotation) return 0.2;
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    // A stiff part hardly feels its mass: from nearly none to nearly double.
    const bool of_mass = quantity == Quantity::density || quantity == Quantity::mass_damping;
    if (of_mass && GetParam().starts_with("contrast_1e4")) return 8 * largest;
    return largest == 0 ? size : largest;
  }

  void check_target(Quantity quantity, Target target) {
    const auto& row = optimize::quantity_row(quantity);
    const bool of_motion = quantity == Quantity::mass_damping || quantity == Quantity::velocity;
    if (of_motion && !model::integrator_row(model.integrator).inertia) {
      EXPECT_THAT(row.gradient(model, gradient, target), testing::Each(0));
      return;
    }
    if (quantity == Quantity::rest_shape && gradient.rest.empty()) return;
    SCOPED_TRACE(testing::Message() << row.name << " " << target.object << "." << target.part);
    const auto values = row.get(model, target);
    const double amplitude_here = amplitude(quantity, values);
    const auto direction =
        values.size() == 1 ? std::vector<double>{amplitude_here} : test::waves(values.size(), amplitude_here);
    check(values, row.gradient(model, gradient, target), direction,
          [&](model::Model& changed, auto moved) { row.set(changed, target, moved); });
    ++tested;
  }

  const solve::StepSettings exact = settings_of(GetParam());
  jit::Engine engine;
  model::Model model = scenes.at(GetParam())();
  Motion loss{model.initial_positions};
  adjoint::Gradient gradient;
  int tested = 0;
};

TEST_P(EveryInput, PassesTheTaylorTest) {
  adjoint::AdjointSettings settings{.tolerance = 1e-12, .max_cg = 5000, .rest_shape = true, .motions = true};
  {
    const solve::Objective objective(model, engine);
    try {
      objective.require_rest_gradient();
    } catch (const Error&) {
      settings.rest_shape = false;
    }
    gradient = adjoint::rollout_gradient(objective, model, exact, settings, loss, solve::initial_state(model));
  }
  EXPECT_EQ(gradient.rest.empty(), GetParam() == "triangles" || GetParam() == "sheet");
  if (GetParam().starts_with("sub_steps")) {
    const solve::Objective objective(model, engine);
    EXPECT_GT(solve::simulate(objective, model, exact, solve::initial_state(model))[1].substeps, 1);
  }
  EXPECT_DOUBLE_EQ(gradient.loss, test::rollout_loss(engine, model, exact, loss));
  const std::size_t size = model.initial_positions.size();
  const double edge = GetParam() == "histories" || size < 60 ? 0.05 : 5e-3;
  check(model.initial_positions, gradient.positions, test::waves(size, edge),
        [](model::Model& changed, auto moved) { changed.initial_positions.assign(moved.begin(), moved.end()); });
  if (model::integrator_row(model.integrator).inertia)
    check(model.initial_velocities, gradient.velocities, test::waves(size, 1),
          [](model::Model& changed, auto moved) { changed.initial_velocities.assign(moved.begin(), moved.end()); });
  else
    EXPECT_THAT(gradient.velocities, testing::Each(0));
  for (std::size_t q = 0; q < optimize::all_quantities().size(); ++q) {
    const auto quantity = static_cast<Quantity>(q);
    for (const auto& target : optimize::targets_of(model, quantity)) check_target(quantity, target);
  }
  EXPECT_GE(tested, 4);
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& [name, make] : scenes) result.push_back(name);
  return result;
}
INSTANTIATE_TEST_SUITE_P(Scenes, EveryInput, testing::ValuesIn(names()),
                         [](const auto& chosen) { return chosen.param; });

}  // namespace
}  // namespace proxima
