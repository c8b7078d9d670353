#include "tests/apps/scene_run.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "compiler/jit/jit.hpp"
#include "compiler/support/file.hpp"
#include "runtime/model/build.hpp"
#include "tests/apps/program.hpp"

namespace proxima::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& line) {
  std::istringstream words(line);
  std::vector<std::string> result;
  for (std::string word; std::getline(words, word, ',');) result.push_back(word);
  return result;
}

}  // namespace

fs::path scene_file(const std::string& name, const std::string& folder) {
  return fs::path(PROXIMA_SOURCE_DIR) / "dsl_examples" / folder / (name + ".json");
}

SceneRun::SceneRun(const std::string& name, const Change& change, const std::string& examples) {
  const fs::path folder = fs::temp_directory_path() / ("proxima_scene_run_" + std::to_string(::getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  const fs::path scene = change ? folder / "scene.json" : scene_file(name, examples);
  if (change) {  // with all paths absolute, so that it can be read from elsewhere
    auto changed = nlohmann::ordered_json::parse(model::read_scene(scene_file(name, examples)).resolved);
    change(changed);
    write_file(scene, changed.dump());
  }
  const Result result = run_program({"run", scene.string(), "-o", "out"}, folder);
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_EQ(result.err.find("warning"), std::string::npos) << result.err;
  if (result.status == 0) {
    jit::Engine engine(fs::path(PROXIMA_BINARY_DIR) / "tests" / "cache");
    const auto load_energy = [&](const fs::path& file, const std::string& energy) {
      return std::make_shared<const ir::Energy>(engine.load_energy(file, energy));
    };
    const auto load_function = [&](const fs::path& file, const std::string& function) {
      return std::make_shared<const ir::Function>(engine.load_function(file, function));
    };
    model = model::build_model(model::read_scene(scene), load_energy, load_function).model;
    mass = model::lumped_mass(model);
    const model::TrajectoryReader reader(folder / "out");
    for (int k = 0; k < reader.frames(); ++k) frames.push_back(reader.read(k));
    log_ = read_file(folder / "out" / "steps.csv");
  }
  fs::remove_all(folder);
  if (frames.empty()) throw std::runtime_error("scene " + name + " did not run");
}

std::vector<double> SceneRun::column(const std::string& name) const {
  std::istringstream lines(log_);
  std::string line;
  std::getline(lines, line);
  const auto names = split(line);
  const auto place = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  std::vector<double> result;
  while (std::getline(lines, line)) result.push_back(std::stod(split(line).at(place)));
  return result;
}

double SceneRun::mean(int frame, int axis, const Chosen& chosen) const {
  double sum = 0, count = 0;
  for (std::size_t n = 0; n < model.mesh.nodes.size(); ++n) {
    if (!chosen(model.mesh.nodes[n])) continue;
    sum += frames.at(frame).positions[3 * n + static_cast<std::size_t>(axis)];
    ++count;
  }
  return sum / count;
}

double SceneRun::extent(int frame, int axis, const Chosen& chosen) const {
  double least = INFINITY, most = -INFINITY;
  for (std::size_t n = 0; n < model.mesh.nodes.size(); ++n) {
    if (!chosen(model.mesh.nodes[n])) continue;
    const double x = frames.at(frame).positions[3 * n + static_cast<std::size_t>(axis)];
    least = std::min(least, x);
    most = std::max(most, x);
  }
  return most - least;
}

model::Vector3 SceneRun::centre_of_mass(int frame) const {
  model::Vector3 sum{};
  for (std::size_t i = 0; i < 3 * mass.size(); ++i) sum[i % 3] += mass[i / 3] * frames.at(frame).positions[i];
  const double total = std::accumulate(mass.begin(), mass.end(), 0.0);
  return {sum[0] / total, sum[1] / total, sum[2] / total};
}

double SceneRun::volume(int frame) const {
  mesh::Mesh moved = model.mesh;
  for (std::size_t i = 0; i < 3 * moved.nodes.size(); ++i) moved.nodes[i / 3][i % 3] = frames.at(frame).positions[i];
  double sum = 0;
  for (std::size_t t = 0; t < mesh::elements(moved, mesh::Shape::tetrahedron).count(); ++t)
    sum += mesh::tet_volume(moved, t);
  return sum;
}

double SceneRun::smallest_volume_ratio(int frame) const {
  mesh::Mesh moved = model.mesh;
  for (std::size_t i = 0; i < 3 * moved.nodes.size(); ++i) moved.nodes[i / 3][i % 3] = frames.at(frame).positions[i];
  double least = INFINITY;
  for (std::size_t t = 0; t < mesh::elements(moved, mesh::Shape::tetrahedron).count(); ++t)
    least = std::min(least, mesh::tet_volume(moved, t) / mesh::tet_volume(model.mesh, t));
  return least;
}

double SceneRun::weight_energy(int frame) const {
  double sum = 0;
  for (std::size_t i = 0; i < 3 * mass.size(); ++i)
    sum -= mass[i / 3] * model.gravity[i % 3] * frames.at(frame).positions[i];
  return sum;
}

double SceneRun::angular_momentum(int frame) const {
  const auto &x = frames.at(frame).positions, &v = frames.at(frame).velocities;
  double sum = 0;
  for (std::size_t n = 0; n < mass.size(); ++n) sum += mass[n] * (x[3 * n] * v[3 * n + 1] - x[3 * n + 1] * v[3 * n]);
  return sum;
}

std::vector<double> SceneRun::total_energy() const {
  const auto elastic = column("elastic_J"), kinetic = column("kinetic_J");
  std::vector<double> result;
  for (std::size_t k = 0; k < elastic.size(); ++k)
    result.push_back(elastic[k] + kinetic[k] + weight_energy(static_cast<int>(k) + 1));
  return result;
}

}  // namespace proxima::test
