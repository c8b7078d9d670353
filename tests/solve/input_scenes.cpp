#include "tests/solve/input_scenes.hpp"

#include <cmath>

#include "compiler/derive/local_step.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/mesh/faces.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/driven.hpp"
#include "tests/solve/element_models.hpp"
#include "tests/solve/energies.hpp"

namespace proxima::bodies {
namespace {

constexpr int steps = input_scene_steps;

model::Model mixed(model::Integrator integrator) {
  model::Model model = make_mixed_scene(steps);
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
  model::Model model = make_element_model(name);
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
  stir(model, 0.2);
  return model;
}

model::Model hexahedral_bar() {
  model::Model bar = make_bar(4, 0.04, 2);
  const auto box = mesh::make_hexahedra({4, 2, 2}, {0, 0, 0}, {0.1, 0.04, 0.04});
  bar.mesh.blocks.clear();
  bar.regions[0].numbers.clear();
  bar.regions[0].elements = box.blocks[0].elements;
  auto& mu = bar.regions[0].parameters[0];
  mu.resize(box.blocks[0].elements.count(), mu[0]);
  hold_end(bar, false, {{0, {}, {}}, {0.05, {0.01, 0.005, 0}, {0.6, 0.2, 0}}});
  stir(bar, 0.3);
  bar.steps = steps;
  return bar;
}

// Pressed, with a pressure that has no potential, and in a current.
model::Model loaded() {
  model::Model model = make_bar(4, 0.04, 2);
  stir(model, 0.3);
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
  model::Model model = make_bar();
  hold_end(model, false);
  hold_end(model, true, {{0, {}, {}}, {0.02, {0.01, 0, 0}, {2.4, 0, 0}}});
  model.integrator = integrator;
  model.steps = steps;
  return model;
}

model::Model contrasted(double contrast, double nu) {
  model::Model model = mixed(model::Integrator::implicit_euler);
  model.forces[0].factor.clear();  // whose roundings are more than the differences of the stiffest scene bear
  set_contrast(model, contrast, nu);
  return model;
}

// Both materials springs to closest points, one of which a parameter moves.
model::Model projective_scene() {
  model::Model model = make_mixed_scene(steps);
  for (auto& region : model.regions) {
    region.energy = projective();
    region.parameters.push_back({1.05});
  }
  return model;
}

// The mixed scene's energies by their Moreau envelopes, one with a weight of its own for each element.
model::Model proximal() {
  model::Model model = make_mixed_scene(steps);
  for (auto& region : model.regions) {
    region.energy = std::make_shared<ir::Energy>(derive::moreau_envelope(*region.energy));
    region.parameters.push_back({1.5});
  }
  auto& weights = model.regions[0].parameters.back();
  for (std::size_t e = 1; e < model.regions[0].elements.count(); ++e)
    weights.push_back(1 + 0.5 * std::sin(static_cast<double>(e)));
  return model;
}

}  // namespace

const std::map<std::string, std::function<model::Model()>>& input_scenes() {
  static const std::map<std::string, std::function<model::Model()>> scenes = {
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
      {"projective", projective_scene},
      {"proximal", proximal},
      {"controllers", [] { return make_driven_scene(steps); }},
      {"sub_steps", [] { return twisted(model::Integrator::implicit_euler); }},
      {"sub_steps_of_bdf2", [] { return twisted(model::Integrator::bdf2); }},
  };
  return scenes;
}

}  // namespace proxima::bodies
