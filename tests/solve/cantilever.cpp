#include "tests/solve/cantilever.hpp"

#include <cmath>

#include "tests/solve/energies.hpp"

namespace proxima::bodies {
namespace {

constexpr double length = 0.2, width = 0.06, twist = 1.5, young = 1e5;

model::Region region_of(const char* name, double modulus, double poisson) {
  model::Region region;
  region.name = name;
  region.energy = log_neo_hookean();
  region.density = 1000;
  region.parameters = {{modulus / (2 * (1 + poisson))}, {modulus * poisson / ((1 + poisson) * (1 - 2 * poisson))}};
  return region;
}

}  // namespace

model::Model make_twisted_cantilever(double contrast, double poisson) {
  model::Model model;
  model.mesh = mesh::make_box({20, 6, 6}, {0, 0, 0}, {length, width, width});
  mesh::prepare(model.mesh, "cantilever");
  model.regions = {region_of("ends", young, poisson), region_of("middle", contrast * young, poisson)};
  const auto& tets = mesh::elements(model.mesh, mesh::Shape::tetrahedron);
  std::vector<std::int32_t> ends, middle;
  for (std::size_t t = 0; t < tets.count(); ++t) {
    double x = 0;
    for (const auto node : tets.of(t)) x += model.mesh.nodes[node][0] / 4;
    const bool inside = x > 0.06 && x < 0.13;  // cells 6 to 12 of 20
    (inside ? middle : ends).push_back(static_cast<std::int32_t>(t));
  }
  model::set_elements(model.regions[0], model.mesh, mesh::Shape::tetrahedron, ends);
  model::set_elements(model.regions[1], model.mesh, mesh::Shape::tetrahedron, middle);
  model::Dirichlet end;
  for (std::size_t node = 0; node < model.mesh.nodes.size(); ++node) {
    const auto& [x, y, z] = model.mesh.nodes[node];
    const double angle = twist * x / length, across = y - width / 2, up = z - width / 2;
    model.initial_positions.insert(model.initial_positions.end(),
                                   {x, width / 2 + std::cos(angle) * across - std::sin(angle) * up,
                                    width / 2 + std::sin(angle) * across + std::cos(angle) * up});
    if (x < 1e-9) end.nodes.push_back(static_cast<std::int32_t>(node));
  }
  model.dirichlet = {end};
  model.initial_velocities.resize(model.initial_positions.size());
  model.gravity = {0, 0, -9.8};
  model.time_step = 0.01;
  model.steps = 1;
  return model;
}

std::vector<double> weight(const model::Model& model) {
  const auto mass = model::lumped_mass(model);
  std::vector<double> force(model.initial_positions.size());
  for (std::size_t i = 0; i < force.size(); ++i) force[i] = mass[i / 3] * model.gravity[i % 3];
  return force;
}

}  // namespace proxima::bodies
