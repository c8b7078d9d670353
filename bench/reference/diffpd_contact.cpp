#include "bench/reference/diffpd_contact.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "compiler/dsl/trace.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/model/obstacle_shapes.hpp"

namespace proxima::bench {
namespace {

using model::Vector3;
using nlohmann::json;

// Hexahedra of the material and the convention of mass that DiffPD has, at rest at their nodes.
model::Model body(mesh::Mesh mesh, double young, double poisson) {
  model::Model model;
  mesh::prepare(mesh, "cells");  // drops what the cells that were taken away leave
  model.mesh = std::move(mesh);
  model.lumping = model::Lumping::uniform;
  model::Region solid;
  solid.name = "solid";
  solid.energy = std::make_shared<ir::Energy>(dsl::find_energy("diffpd_cantilever_solid"));
  model::set_elements(solid, model.mesh, mesh::Shape::hexahedron);
  solid.parameters = {{young}, {poisson}};
  solid.density = 1000;
  model.regions = {solid};
  for (const auto& node : model.mesh.nodes)
    model.initial_positions.insert(model.initial_positions.end(), node.begin(), node.end());
  model.initial_velocities.assign(model.initial_positions.size(), 0);
  model.gravity = {0, 0, -9.81};
  return model;
}

// Whatever is pressed sticks in DiffPD; a coefficient of 10 comes close to that, and lets every step have a solution.
constexpr double friction = 10;

void set_obstacle(const char* name, model::AnalyticDistance shape, model::Model& model) {
  model::Obstacle obstacle;
  obstacle.name = name;
  obstacle.shape = std::move(shape);
  obstacle.motion = {{}};
  model.obstacles = {obstacle};
  model.contacts = {{.friction = friction}};
}

void set_steps(const json& scene, model::Model& model) {
  model.time_step = scene.at("h");
  model.steps = scene.at("frames");
}

void set_loss(DiffpdContact& scene, std::mt19937& random) {
  std::normal_distribution<double> normal;
  for (auto* weights : {&scene.position_weights, &scene.velocity_weights}) {
    weights->resize(scene.model.initial_positions.size());
    for (auto& weight : *weights) weight = normal(random);
  }
}

// A ball of 10^3 cells, those whose centres are within its radius of 5 cm, touches the ground and turns about the y
// axis through the corner of its box at 10 rad/s. Nodes that the noise would put below the ground are put on it.
DiffpdContact rolling_sphere(const json& reference) {
  constexpr int cells = 10;
  constexpr double radius = 0.05, spin = 10, noise = 1e-3;
  auto mesh = mesh::make_hexahedra({cells, cells, cells}, {0, 0, 0}, {2 * radius, 2 * radius, 2 * radius});
  auto& [elements, tags] = mesh.blocks[0];
  std::vector<std::int32_t> kept;
  for (std::size_t e = 0; e < elements.count(); ++e) {
    const auto& lower = mesh.nodes[elements.of(e)[0]];
    constexpr double half = radius / cells - radius;
    if (std::hypot(lower[0] + half, lower[1] + half, lower[2] + half) <= radius)
      kept.push_back(static_cast<std::int32_t>(e));
  }
  elements = mesh::subset(elements, kept);
  tags.resize(kept.size());

  DiffpdContact scene;
  scene.name = "rolling_sphere";
  scene.model = body(std::move(mesh), 2e6, 0.4);
  if (static_cast<int>(kept.size()) != reference.at("cells") ||
      static_cast<int>(scene.model.mesh.nodes.size()) != reference.at("nodes"))
    fail("rolling_sphere: {} cells and {} nodes are not those of the reference", kept.size(),
         scene.model.mesh.nodes.size());
  std::mt19937 random(42);
  std::normal_distribution<double> normal(0, noise);
  auto& x = scene.model.initial_positions;
  for (auto& value : x) value += normal(random);
  for (std::size_t i = 0; i < x.size(); i += 3) {
    scene.model.initial_velocities[i] = spin * x[i + 2];
    scene.model.initial_velocities[i + 2] = -spin * x[i];
    x[i + 2] = std::max(x[i + 2], 0.0);
  }
  set_obstacle("ground", {model::obstacle_shape("half_space"), {}}, scene.model);
  set_steps(reference, scene.model);
  set_loss(scene, random);
  for (const int threads : {1, 2}) {
    const auto& row =
        reference.at("diffpd_seconds").at(fmt::format("pd_1e-4_{}_thread{}", threads, threads > 1 ? "s" : ""));
    scene.seconds.push_back(
        {threads, reference.at("contact_nodes"), row.at("forward").at(0), row.at("backward").at(0)});
  }
  return scene;
}

// 0.4 m wide, 2 cm above a ball. DiffPD lets the nodes of the lower side touch that are within a radius of its middle;
// here the ball is cut down to the cap below them, and what is wider hangs over its rim.
DiffpdContact napkin(const json& reference, const std::string& contact_nodes, double forward, jit::Engine& engine) {
  constexpr double width = 0.4, ball = 0.5;
  const auto cells = reference.at("cells").get<std::array<int, 3>>();
  const double size = width / cells[0];
  DiffpdContact scene;
  scene.contact_nodes = std::stoi(contact_nodes);
  scene.name = "napkin_25 of " + contact_nodes;
  scene.model = body(mesh::make_hexahedra(cells, {-width / 2, -width / 2, 0.52}, {width / 2, width / 2, 0.52 + size}),
                     reference.at("E"), reference.at("nu"));
  // The radius of as many nodes.
  std::vector<double> distances;
  for (const auto& node : scene.model.mesh.nodes)
    if (node[2] < 0.52 + size / 2) distances.push_back(std::hypot(node[0], node[1]));
  std::sort(distances.begin(), distances.end());
  const auto count = static_cast<std::size_t>(scene.contact_nodes);
  if (count > distances.size()) fail("napkin_25: {} contact nodes, the lower side has {}", count, distances.size());
  const double radius = count < distances.size() ? (distances[count - 1] + distances[count]) / 2 : 0.35;
  std::mt19937 random(42);
  std::uniform_real_distribution<double> uniform(-0.02 * size, 0.02 * size);
  for (auto& value : scene.model.initial_positions) value += uniform(random);
  set_obstacle(
      "cap",
      {std::make_shared<const ir::Function>(engine.load_function(PROXIMA_SOURCE_DIR "/dsl_examples/contact/cap.cpp")),
       {{ball}, {std::asin(radius / ball)}}},
      scene.model);
  set_steps(reference, scene.model);
  set_loss(scene, random);
  scene.seconds = {{1, scene.contact_nodes, forward, 0}};
  return scene;
}

}  // namespace

std::vector<DiffpdContact> diffpd_contact_scenes(const std::filesystem::path& reference, jit::Engine& engine) {
  try {
    const auto figures = json::parse(read_file(reference));
    std::vector<DiffpdContact> result = {rolling_sphere(figures.at("rolling_sphere"))};
    const auto& napkins = figures.at("napkin_25");
    for (const auto& [nodes, seconds] : napkins.at("diffpd_forward_seconds_1_thread_by_contact_nodes").items())
      result.push_back(napkin(napkins, nodes, seconds, engine));
    std::sort(result.begin(), result.end(),
              [](const auto& a, const auto& b) { return a.contact_nodes < b.contact_nodes; });
    return result;
  } catch (const json::exception& error) {
    fail("{}: {}", reference.string(), error.what());
  }
}

}  // namespace proxima::bench
