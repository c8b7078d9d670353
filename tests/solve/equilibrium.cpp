#include "tests/solve/equilibrium.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/solve/step/rollout.hpp"

namespace proxima::bodies {
namespace {

jit::Engine& engine() {
  static jit::Engine instance;
  return instance;
}

}  // namespace

std::shared_ptr<const ir::Energy> shipped(const std::string& file, const std::string& name) {
  return std::make_shared<ir::Energy>(engine().load_energy(PROXIMA_SOURCE_DIR "/dsl_examples/" + file + ".cpp", name));
}

model::Model make_quasi_static(mesh::Mesh mesh, mesh::Elements elements, std::shared_ptr<const ir::Energy> energy,
                               const std::vector<double>& parameters) {
  model::Model model;
  model.mesh = std::move(mesh);
  model::Region region;
  region.name = "body";
  region.energy = std::move(energy);
  region.elements = std::move(elements);
  for (const double value : parameters) region.parameters.push_back({value});
  if (region.elements == mesh::elements(model.mesh, region.elements.shape))
    model::set_elements(region, model.mesh, region.elements.shape);
  region.density = region.elements.shape == mesh::Shape::edge ? 0 : 1000;
  model.regions = {region};
  for (const auto& node : model.mesh.nodes)
    model.initial_positions.insert(model.initial_positions.end(), node.begin(), node.end());
  model.initial_velocities.resize(model.initial_positions.size());
  model.integrator = model::Integrator::quasi_static;
  model.time_step = 1;
  model.steps = 1;
  return model;
}

void hold(model::Model& model, std::size_t node, const Field& field) {
  const mesh::Vector3 &rest = model.mesh.nodes[node], there = field(rest);
  mesh::Vector3 way;
  for (int i = 0; i < 3; ++i) way[i] = there[i] - rest[i];
  model.dirichlet.push_back({{static_cast<std::int32_t>(node)}, {}, {{0, way, {}}}});
}

std::vector<double> positions_of(const model::Model& model, const Field& field) {
  std::vector<double> result;
  for (const auto& node : model.mesh.nodes) {
    const mesh::Vector3 there = field(node);
    result.insert(result.end(), there.begin(), there.end());
  }
  return result;
}

std::vector<double> equilibrium(const model::Model& model) {
  const solve::Objective objective(model, engine());
  return solve::simulate(objective, model, {.tolerance = 1e-12}, solve::initial_state(model)).back().positions;
}

double largest_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double result = 0;
  for (std::size_t i = 0; i < a.size(); ++i) result = std::max(result, std::abs(a[i] - b[i]));
  return result;
}

}  // namespace proxima::bodies
