#include "tests/solve/bodies.hpp"

#include <cmath>

#include "tests/solve/energies.hpp"

namespace proxima::bodies {
namespace {

std::vector<std::vector<double>> lame(double young, double poisson) {
  return {{young / (2 * (1 + poisson))}, {young * poisson / ((1 + poisson) * (1 - 2 * poisson))}};
}

}  // namespace

model::Model make_bar(int cells, double width, int across) {
  model::Model model;
  model.mesh = mesh::make_box({cells, across, across}, {0, 0, 0}, {0.1, width, width});
  mesh::prepare(model.mesh, "bar");
  model::Region region;
  region.name = "bar";
  region.energy = log_neo_hookean();
  model::set_elements(region, model.mesh, mesh::Shape::tetrahedron);
  region.parameters = lame(5e4, 0.35);
  region.density = 1000;
  model.regions = {region};
  for (const auto& node : model.mesh.nodes)
    model.initial_positions.insert(model.initial_positions.end(), node.begin(), node.end());
  model.initial_velocities.resize(model.initial_positions.size());
  model.time_step = 0.01;
  model.steps = 1;
  return model;
}

model::Model make_tet() {
  model::Model model = make_bar();
  model.mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  model.mesh.blocks.clear();
  auto& [tets, tags] = mesh::make_block(model.mesh, mesh::Shape::tetrahedron);
  tets.nodes = {0, 1, 2, 3};
  tags = {0};
  model::set_elements(model.regions[0], model.mesh, mesh::Shape::tetrahedron);
  model.initial_positions = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  model.initial_velocities.assign(12, 0);
  return model;
}

void fill_with_solid(model::Model& model, double young) {
  model::Region region;
  region.name = "solid";
  region.energy = log_neo_hookean_engineering();
  model::set_elements(region, model.mesh, mesh::Shape::tetrahedron);
  region.parameters = {{young}, {0.4}};
  region.density = 1000;
  model.regions = {region};
}

void hold_end(model::Model& model, bool far_end, std::vector<model::KeyFrame> motion) {
  model::Dirichlet dirichlet;
  const double end = far_end ? 0.1 : 0;
  for (std::size_t node = 0; node < model.mesh.nodes.size(); ++node)
    if (std::abs(model.mesh.nodes[node][0] - end) < 1e-9) dirichlet.nodes.push_back(static_cast<std::int32_t>(node));
  dirichlet.pivot = {end, 0.02, 0.02};
  dirichlet.motion = std::move(motion);
  model.dirichlet.push_back(std::move(dirichlet));
}

model::Model make_mixed_scene(int steps, int refine) {
  model::Model model = make_bar(5 * refine, 0.04, 2 * refine);
  model::Region soft = model.regions[0], stiff = model.regions[0];
  soft.name = "soft";
  stiff.name = "stiff";
  std::vector<std::int32_t> near, far;
  const auto& tets = mesh::elements(model.mesh, mesh::Shape::tetrahedron);
  for (std::size_t t = 0; t < tets.count(); ++t) {
    double x = 0;
    for (const auto node : tets.of(t)) x += model.mesh.nodes[node][0] / 4;
    (x < 0.05 ? near : far).push_back(static_cast<std::int32_t>(t));
  }
  model::set_elements(soft, model.mesh, mesh::Shape::tetrahedron, near);
  model::set_elements(stiff, model.mesh, mesh::Shape::tetrahedron, far);
  soft.parameters = lame(3e4, 0.3);
  const double mu = soft.parameters[0][0];
  soft.parameters[0].clear();
  for (std::size_t e = 0; e < soft.elements.count(); ++e)
    soft.parameters[0].push_back(mu * (1 + 0.5 * std::sin(static_cast<double>(e))));
  stiff.parameters = lame(2e5, 0.4);
  stiff.density = 1500;
  model.regions = {soft, stiff};
  hold_end(model, false, {{0, {}, {}}, {0.05, {0.01, 0.005, 0}, {0.6, 0.2, 0}}});
  model.gravity = {0, 0, -9.81};
  const auto last = static_cast<std::int32_t>(model.mesh.nodes.size()) - 1;
  model.forces = {{{last, last - 1}, {0.02, 0.05, 0.01}, 0, 0.02}};
  stir(model, 0.3);
  model.steps = steps;
  return model;
}

void set_contrast(model::Model& mixed_scene, double contrast, double nu) {
  for (std::size_t r = 0; r < 2; ++r) {
    auto& region = mixed_scene.regions[r];
    const double young = r == 1 ? 3e4 : 3e4 * contrast;
    auto& mu = region.parameters[0];
    for (std::size_t e = 0; e < mu.size(); ++e)
      mu[e] = young / (2 * (1 + nu)) * (1 + 0.2 * std::sin(static_cast<double>(e)));
    region.parameters[1] = {young * nu / ((1 + nu) * (1 - 2 * nu))};
  }
  model::NodalForce pull{.nodes = {}, .force = {0.05 * contrast, 0.01 * contrast, 0}, .begin = 0, .end = 1};
  for (std::size_t i = 0; i < mixed_scene.mesh.nodes.size(); ++i)
    if (std::abs(mixed_scene.mesh.nodes[i][0] - 0.04) < 1e-9) pull.nodes.push_back(static_cast<std::int32_t>(i));
  mixed_scene.forces.push_back(pull);
}

void stir(model::Model& model, double speed) {
  for (std::size_t i = 0; i < model.initial_velocities.size(); ++i)
    model.initial_velocities[i] += speed * std::sin(40 * model.mesh.nodes[i / 3][i % 3] + static_cast<double>(i % 3));
}

}  // namespace proxima::bodies
