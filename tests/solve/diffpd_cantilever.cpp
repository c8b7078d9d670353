#include "tests/solve/diffpd_cantilever.hpp"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <proxima/dsl.hpp>
#include <sstream>

#include "compiler/dsl/trace.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"

namespace {

using namespace proxima::dsl;

PROXIMA_ENERGY(diffpd_cantilever_solid) {
  const auto E = parameter("E", pascal, 1e6).positive();
  const auto nu = parameter("nu", dimensionless, 0.45).between(0, 0.5);
  const auto mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  const auto F = deformation_gradient();
  return projection(2 * mu, F, closest_rotation(F)) + projection(lambda, F, closest_with_determinant(F, 1));
}

PROXIMA_ENERGY(diffpd_cantilever_muscle) {
  const auto w = parameter("w", pascal, 1e5).positive();
  const auto a = parameter("activation", dimensionless, 0.5).between(0, 1);
  return 0.5 * w * square(norm(deformation_gradient() * direction("fibre", {1, 0, 0})) - a);
}

}  // namespace

namespace proxima::bodies {
namespace {

namespace fs = std::filesystem;
using Cells = std::array<int, 3>;

// The numbers of a file of `columns` a line, column by column; lines that begin with # are left out.
std::vector<std::vector<double>> read_columns(const fs::path& file, std::size_t columns) {
  std::ifstream input(file);
  std::vector<std::vector<double>> result(columns);
  for (std::string line; std::getline(input, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream text(line);
    for (auto& column : result)
      if (double value = 0; text >> value) column.push_back(value);
  }
  if (result.back().empty() || result.back().size() != result.front().size())
    fail("{}: lines of {} numbers are expected", file.string(), columns);
  return result;
}

// Columns `first` to first + 2 as 3 a node.
std::vector<double> vectors(const std::vector<std::vector<double>>& columns, std::size_t first) {
  std::vector<double> result;
  for (std::size_t node = 0; node < columns[first].size(); ++node)
    for (std::size_t axis = 0; axis < 3; ++axis) result.push_back(columns[first + axis][node]);
  return result;
}

// Nodes and cells counted along z first, then y, then x.
mesh::Mesh make_mesh(const Cells& cells, double size) {
  mesh::Mesh mesh;
  auto& block = mesh::make_block(mesh, mesh::Shape::hexahedron);
  const auto node = [&](int i, int j, int k) { return (i * (cells[1] + 1) + j) * (cells[2] + 1) + k; };
  for (int i = 0; i <= cells[0]; ++i)
    for (int j = 0; j <= cells[1]; ++j)
      for (int k = 0; k <= cells[2]; ++k) {
        mesh.nodes.push_back({i * size, j * size, k * size});
        if (i == cells[0] || j == cells[1] || k == cells[2]) continue;
        for (const int above : {0, 1})
          for (const auto& [x, y] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
            block.elements.nodes.push_back(node(i + x, j + y, k + above));
        block.tags.push_back(0);
      }
  return mesh;
}

model::Model make_model(const nlohmann::json& scene, const std::vector<std::vector<double>>& nodes,
                        const std::vector<double>& activation) {
  model::Model model;
  const auto cells = scene.at("cells").get<Cells>();
  model.mesh = make_mesh(cells, scene.at("dx"));
  model.lumping = model::Lumping::uniform;
  model::Region solid, muscle;
  solid.name = "solid";
  muscle.name = "muscle";
  solid.energy = std::make_shared<ir::Energy>(dsl::find_energy("diffpd_cantilever_solid"));
  model::set_elements(solid, model.mesh, mesh::Shape::hexahedron);
  solid.parameters = {{scene.at("E").get<double>()}, {scene.at("nu").get<double>()}};
  solid.density = scene.at("density");
  muscle.energy = std::make_shared<ir::Energy>(dsl::find_energy("diffpd_cantilever_muscle"));
  muscle.overlay = true;
  muscle.parameters = {{1e5}, activation};
  std::vector<std::int32_t> muscle_cells;
  for (int i = 0; i < cells[0]; ++i) muscle_cells.push_back(i * cells[1] * cells[2]);
  model::set_elements(muscle, model.mesh, mesh::Shape::hexahedron, muscle_cells);
  model.regions = {solid, muscle};
  model.initial_positions = vectors(nodes, 0);
  model.initial_velocities.resize(model.initial_positions.size());
  model.dirichlet.emplace_back();
  for (std::int32_t node = 0; node < static_cast<std::int32_t>(model.mesh.nodes.size()); ++node) {
    if (model.mesh.nodes[node][0] == 0) model.dirichlet.front().nodes.push_back(node);
    model.forces.push_back({{node}, {nodes[3][node], nodes[4][node], nodes[5][node]}, -1, INFINITY});
  }
  model.gravity = scene.at("gravity");
  model.time_step = scene.at("h");
  model.steps = scene.at("frames");
  return model;
}

void read_results(const nlohmann::json& scene, const fs::path& folder, DiffpdCantilever& result) {
  const auto states = read_columns(folder / "cantilever_result.txt", 12);
  result.positions = vectors(states, 0);
  result.velocities = vectors(states, 3);
  result.position_gradient = vectors(states, 6);
  result.velocity_gradient = vectors(states, 9);
  result.activation_gradient = read_columns(folder / "cantilever_actuation_gradient.txt", 1).front();
  const auto& found = scene.at("reference_newton_pcg_1e-6");
  result.loss = found.at("loss");
  result.positions_norm = found.at("norm_q_T");
  result.force_gradient_norm = found.at("gradient_norms").at("force_summed");
  result.young_gradient = found.at("dL_dE");
  result.poisson_gradient = found.at("dL_dnu");
  result.max_position_error = scene.at("diffpd_accuracy_pd_1e-4").at("max_position_error");
  for (const auto& row : scene.at("diffpd_seconds"))
    result.seconds.push_back(
        {row.at("method"), row.at("rel_tol"), row.at("threads"), row.at("forward"), row.at("backward")});
}

}  // namespace

fs::path shared_data() {
  const char* given = std::getenv("PROXIMA_SHARED_DATA");
  return given != nullptr ? given : PROXIMA_SOURCE_DIR "/../shared/data";
}

std::optional<fs::path> reference_folder() {
  const fs::path folder = shared_data() / "reference";
  if (!fs::exists(folder)) return std::nullopt;
  return folder;
}

DiffpdCantilever read_diffpd_cantilever(const fs::path& folder) {
  DiffpdCantilever result;
  try {
    const auto scene = nlohmann::json::parse(read_file(folder / "reference.json")).at("cantilever");
    const auto nodes = read_columns(folder / "cantilever_nodes.txt", 12);
    result.model = make_model(scene, nodes, read_columns(folder / "cantilever_actuation.txt", 1).front());
    result.position_weights = vectors(nodes, 6);
    result.velocity_weights = vectors(nodes, 9);
    read_results(scene, folder, result);
  } catch (const nlohmann::json::exception& error) {
    fail("{}: {}", (folder / "reference.json").string(), error.what());
  }
  return result;
}

}  // namespace proxima::bodies
