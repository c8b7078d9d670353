#include "runtime/model/build.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compiler/support/error.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/bodies.hpp"
#include "runtime/model/contacts.hpp"
#include "runtime/model/describe.hpp"
#include "runtime/model/loads.hpp"
#include "runtime/model/select.hpp"
#include "runtime/model/springs.hpp"
#include "runtime/model/ties.hpp"

namespace proxima::model {
namespace {

void add_boundary(const Scene& scene, Model& model) {
  for (std::size_t d = 0; d < scene.dirichlet.size(); ++d) {
    const auto& source = scene.dirichlet[d];
    const auto where = fmt::format("{}: dirichlet[{}].select", scene.file.string(), d);
    model.dirichlet.push_back({select_nodes(source.select, model, where), source.pivot, source.motion});
  }
  add_loads(scene, model);
}

Vector3 centre_of_mass(const Model& model, const std::vector<double>& mass, std::size_t begin, std::size_t end) {
  Vector3 centre{};
  const auto at = [&](std::size_t node) { return mass.begin() + static_cast<std::ptrdiff_t>(node); };
  const double total = std::accumulate(at(begin), at(end), 0.0);
  for (std::size_t n = begin; n < end; ++n) {
    for (int i = 0; i < 3; ++i) centre[i] += mass[n] / total * model.mesh.nodes[n][i];
  }
  return centre;
}

// Adds velocity + angular velocity x (X - centre of mass) to the velocities of nodes that follow one another, for held
// nodes too: the solver does not look at theirs.
void add_velocity(const Vector3& velocity, const Vector3& angular, const std::vector<double>& mass, std::size_t begin,
                  std::size_t end, Model& model) {
  const auto centre = centre_of_mass(model, mass, begin, end);
  for (std::size_t n = begin; n < end; ++n) {
    const auto& node = model.mesh.nodes[n];
    const Vector3 turn = mesh::cross(angular, mesh::minus(node, centre));
    for (std::size_t i = 0; i < 3; ++i) model.initial_velocities[3 * n + i] += velocity[i] + turn[i];
  }
}

void set_initial_state(const Scene& scene, const std::vector<double>& mass, Model& model) {
  for (const auto& node : model.mesh.nodes)
    model.initial_positions.insert(model.initial_positions.end(), node.begin(), node.end());
  model.initial_velocities.assign(model.initial_positions.size(), 0.0);
  add_velocity(scene.velocity, scene.angular_velocity, mass, 0, model.mesh.nodes.size(), model);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const auto& source = scene.bodies[b];
    const auto first = static_cast<std::size_t>(model.bodies[b].first_node);
    add_velocity(source.velocity, source.angular_velocity, mass, first,
                 first + static_cast<std::size_t>(model.bodies[b].nodes), model);
  }
}

}  // namespace

Built build_model(const Scene& scene, const EnergyLoader& load_energy, const FunctionLoader& load_function) {
  Built built;
  Model& model = built.model;
  for (const auto& body : scene.bodies) add_body(scene, body, load_energy, built);
  add_springs(scene, model);
  add_ties(scene, model);
  model.gravity = scene.gravity;
  model.lumping = scene.lumping;
  model.time_step = scene.time_step;
  model.steps = scene.steps;
  model.integrator = scene.integrator;
  add_boundary(scene, model);
  const auto mass = lumped_mass(model);
  set_initial_state(scene, mass, model);
  add_controllers(scene, load_function, mass, model);
  add_contacts(scene, load_function, model);
  try {
    validate(model);
  } catch (const Error& error) {
    fail("{}: {}", scene.file.string(), error.what());
  }
  describe(mass, built);
  return built;
}

}  // namespace proxima::model
