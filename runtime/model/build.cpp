#include "runtime/model/build.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compiler/support/error.hpp"
#include "runtime/model/loads.hpp"
#include "runtime/model/materials.hpp"
#include "runtime/model/select.hpp"

namespace proxima::model {
namespace {

namespace fs = std::filesystem;

// A body larger or smaller than this, in metres, is more likely in other units.
constexpr double largest_plausible = 100, smallest_plausible = 1e-4;

mesh::Mesh make_mesh(const MeshSource& source) {
  struct Maker {
    mesh::Mesh operator()(const fs::path& file) const { return mesh::read(file); }
    mesh::Mesh operator()(const BoxMesh& box) const { return mesh::make_box(box.cells, box.lower, box.upper); }
    mesh::Mesh operator()(const BallMesh& ball) const { return mesh::make_ball(ball.layers, ball.centre, ball.radius); }
  };
  auto result = std::visit(Maker{}, source.source);
  for (auto& node : result.nodes) {
    for (auto& coordinate : node) coordinate *= source.scale;
  }
  return result;
}

std::string mesh_name(const Scene& scene) {
  if (const auto* file = std::get_if<fs::path>(&scene.mesh.source)) return file->string();
  return scene.file.string() + ": mesh";
}

void add_boundary(const Scene& scene, const mesh::Repairs& repairs, Model& model) {
  for (std::size_t d = 0; d < scene.dirichlet.size(); ++d) {
    const auto& source = scene.dirichlet[d];
    const auto where = fmt::format("{}: dirichlet[{}].select", scene.file.string(), d);
    model.dirichlet.push_back({select_nodes(source.select, model.mesh, repairs, where), source.pivot, source.motion});
  }
  add_loads(scene, repairs, model);
}

Vector3 centre_of_mass(const Model& model, const std::vector<double>& mass) {
  Vector3 centre{};
  const double total = std::accumulate(mass.begin(), mass.end(), 0.0);
  for (std::size_t n = 0; n < mass.size(); ++n) {
    for (int i = 0; i < 3; ++i) centre[i] += mass[n] / total * model.mesh.nodes[n][i];
  }
  return centre;
}

// v = velocity + angular velocity x (X - centre of mass), for held nodes too: the solver does not look at theirs.
void set_initial_state(const Scene& scene, const Vector3& centre, Model& model) {
  const Vector3& w = scene.angular_velocity;
  for (const auto& node : model.mesh.nodes) {
    const Vector3 arm = {node[0] - centre[0], node[1] - centre[1], node[2] - centre[2]};
    const Vector3 turn = {w[1] * arm[2] - w[2] * arm[1], w[2] * arm[0] - w[0] * arm[2], w[0] * arm[1] - w[1] * arm[0]};
    for (int i = 0; i < 3; ++i) {
      model.initial_positions.push_back(node[i]);
      model.initial_velocities.push_back(scene.velocity[i] + turn[i]);
    }
  }
}

std::string values_text(const std::vector<double>& values) {
  if (values.size() == 1) return fmt::format("{:g}", values[0]);
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  return fmt::format("{:g} to {:g}", *lowest, *highest);
}

std::string describe(const Region& region) {
  std::string text = region.overlay ? fmt::format("material '{}': also energy {}", region.name, region.energy->name)
                                    : fmt::format("material '{}': {} tets, energy {}, density {:g} kg/m^3", region.name,
                                                  region.elements.count(), region.energy->name, region.density);
  for (std::size_t k = 0; k < region.parameters.size(); ++k) {
    const auto& parameter = region.energy->parameters[k];
    auto values = region.parameters[k];
    if (varies_in_time(region, k)) {
      values.clear();
      for (const auto& key : region.signals[k]) values.push_back(key.value);
    }
    text += fmt::format(", {} = {}{}{}{}", parameter.name, values_text(values), parameter.unit.empty() ? "" : " ",
                        parameter.unit, varies_in_time(region, k) ? " in time" : "");
  }
  if (region.damping.mass > 0) text += fmt::format(", damping by mass {:g} 1/s", region.damping.mass);
  if (!region.damping.stiffness.empty())
    text += fmt::format(", damping by stiffness {} s", values_text(region.damping.stiffness));
  return text;
}

void describe(const Model& model, const std::vector<double>& mass, Built& built) {
  const auto box = mesh::bounding_box(model.mesh);
  const Vector3 size = {box.upper[0] - box.lower[0], box.upper[1] - box.lower[1], box.upper[2] - box.lower[2]};
  double volume = 0;
  const auto tets = mesh::elements(model.mesh, mesh::Shape::tetrahedron).count();
  for (std::size_t t = 0; t < tets; ++t) volume += mesh::tet_volume(model.mesh, t);
  std::size_t held = 0;
  for (const auto& dirichlet : model.dirichlet) held += dirichlet.nodes.size();

  auto& notes = built.notes;
  notes.push_back(fmt::format("mesh: {} nodes, {} tets, {:.4g} x {:.4g} x {:.4g} m, volume {:.4g} m^3, mass {:.4g} kg",
                              model.mesh.nodes.size(), tets, size[0], size[1], size[2], volume,
                              std::accumulate(mass.begin(), mass.end(), 0.0)));
  if (built.repairs.flipped > 0)
    notes.push_back(fmt::format("mesh: {} tets of opposite winding were reversed", built.repairs.flipped));
  if (built.repairs.unused_removed > 0) {
    notes.push_back(fmt::format("mesh: {} nodes that no tet uses were left out", built.repairs.unused_removed));
  }
  for (const auto& region : model.regions) {
    if (region.load)
      notes.push_back(fmt::format("{}: on {} triangles, as a potential", region.name, region.elements.count()));
    else
      notes.push_back(describe(region));
  }
  for (const auto& load : model.surface_loads)
    notes.push_back(fmt::format("{} on {} triangles, by the state at the start of each step",
                                std::holds_alternative<Hydrodynamics>(load.kind) ? "hydrodynamics" : "pressure",
                                load.triangles.size()));
  notes.push_back(fmt::format("held: {} nodes; gravity [{:g}, {:g}, {:g}] m/s^2; {} steps of {:g} s by {}", held,
                              model.gravity[0], model.gravity[1], model.gravity[2], model.steps, model.time_step,
                              integrator_row(model.integrator).name));

  const double longest = *std::max_element(size.begin(), size.end());
  if (longest > largest_plausible || longest < smallest_plausible) {
    built.warnings.push_back(fmt::format(
        "the body is {:.4g} m long; is the mesh in metres? (\"mesh\": {{\"scale\": 0.001}} is for millimetres)",
        longest));
  }
  std::int32_t pieces = 0;
  mesh::connected_components(model.mesh, pieces);
  if (pieces > 1) built.warnings.push_back(fmt::format("the mesh is in {} pieces that share no node", pieces));
}

}  // namespace

Built build_model(const Scene& scene, const EnergyLoader& load_energy) {
  Built built;
  Model& model = built.model;
  if (const auto* file = std::get_if<fs::path>(&scene.mesh.source)) require_file(*file, scene, "mesh.file");
  model.mesh = make_mesh(scene.mesh);
  built.repairs = mesh::prepare(model.mesh, mesh_name(scene));
  model.gravity = scene.gravity;
  model.time_step = scene.time_step;
  model.steps = scene.steps;
  model.integrator = scene.integrator;
  add_materials(scene, load_energy, model);
  add_boundary(scene, built.repairs, model);
  const auto mass = lumped_mass(model);
  set_initial_state(scene, centre_of_mass(model, mass), model);
  try {
    validate(model);
  } catch (const Error& error) {
    fail("{}: {}", scene.file.string(), error.what());
  }
  describe(model, mass, built);
  return built;
}

}  // namespace proxima::model
