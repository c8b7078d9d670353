#include "tests/solve/contrast.hpp"

#include <cmath>

#include "runtime/mesh/element_meshes.hpp"
#include "runtime/model/element_selection.hpp"
#include "tests/solve/diffpd_cantilever.hpp"

namespace proxima::bodies {
namespace {

constexpr double young = 1e5, poisson = 0.45, cantilever_twist = 1.5;
constexpr double cell = 0.01, armadillo_height = 0.15, held_height = 0.1 * armadillo_height;

// Everything but gravity and the time step. The body, its lowest point along `axis` at 0, is twisted about the line
// through `centre` along that axis: by up to `twist` at its far end, not at all up to `held`, where it is held. Bands
// of equal length along the axis are in turn of one kind and the other.
model::Model twisted_bands(mesh::Mesh mesh, mesh::Shape shape, const std::shared_ptr<const ir::Energy>& energy,
                           std::array<double, 2> moduli, std::size_t axis, const mesh::Vector3& centre, double held,
                           double twist) {
  model::Model model;
  model.mesh = std::move(mesh);
  const double length = mesh::bounding_box(model.mesh).upper[axis];
  std::array<std::vector<std::int32_t>, 2> bands;
  const auto centroids = model::centroids(mesh::elements(model.mesh, shape), model.mesh.nodes);
  for (std::size_t e = 0; e < centroids.size(); ++e)
    bands[static_cast<std::size_t>(3 * centroids[e][axis] / length) % 2].push_back(static_cast<std::int32_t>(e));
  for (std::size_t kind = 0; kind < 2; ++kind) {
    model::Region region;
    region.name = kind == 0 ? "outer" : "middle";
    region.energy = energy;
    region.density = 1000;
    region.parameters = {{moduli[kind]}, {poisson}};
    model::set_elements(region, model.mesh, shape, bands[kind]);
    model.regions.push_back(std::move(region));
  }
  const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
  model::Dirichlet end;
  for (std::size_t node = 0; node < model.mesh.nodes.size(); ++node) {
    mesh::Vector3 x = model.mesh.nodes[node];
    const double angle = twist * std::max(0.0, x[axis] - held) / (length - held);
    const double a = x[i] - centre[i], b = x[j] - centre[j];
    x[i] = centre[i] + std::cos(angle) * a - std::sin(angle) * b;
    x[j] = centre[j] + std::sin(angle) * a + std::cos(angle) * b;
    model.initial_positions.insert(model.initial_positions.end(), x.begin(), x.end());
    if (x[axis] <= held + 1e-9) end.nodes.push_back(static_cast<std::int32_t>(node));
  }
  model.dirichlet = {end};
  model.initial_velocities.resize(model.initial_positions.size());
  model.steps = 1;
  return model;
}

}  // namespace

model::Model make_contrast_cantilever(const std::shared_ptr<const ir::Energy>& energy, double contrast) {
  auto mesh = mesh::make_hexahedra({20, 5, 5}, {0, 0, 0}, {20 * cell, 5 * cell, 5 * cell});
  mesh::prepare(mesh, "cantilever");
  auto model = twisted_bands(std::move(mesh), mesh::Shape::hexahedron, energy, {young, contrast * young}, 0,
                             {0, 2.5 * cell, 2.5 * cell}, 0, cantilever_twist);
  model.gravity = {0, 0, -9.8};
  model.time_step = 0.01;
  return model;
}

model::Model make_contrast_armadillo(const std::filesystem::path& file, const std::shared_ptr<const ir::Energy>& energy,
                                     double contrast, double twist) {
  auto mesh = mesh::read(file);
  mesh::prepare(mesh, file.string());
  const auto box = mesh::bounding_box(mesh);
  const double scale = armadillo_height / (box.upper[1] - box.lower[1]);
  for (auto& node : mesh.nodes)
    for (std::size_t i = 0; i < 3; ++i)
      node[i] = scale * (node[i] - (i == 1 ? box.lower[1] : (box.lower[i] + box.upper[i]) / 2));
  auto model = twisted_bands(std::move(mesh), mesh::Shape::tetrahedron, energy, {contrast * young, young}, 1, {},
                             held_height, twist);
  model.gravity = {0, -9.8, 0};
  model.time_step = 1.0 / 30;
  return model;
}

std::optional<std::filesystem::path> armadillo_file() {
  const auto file = shared_data() / "armadillo_10k.node";
  if (!std::filesystem::exists(file)) return std::nullopt;
  return file;
}

}  // namespace proxima::bodies
