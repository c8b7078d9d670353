#include "tests/fuzz/scene_target.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>

#include "compiler/dsl/trace.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/mesh/mesh.hpp"
#include "runtime/model/build.hpp"

namespace proxima::fuzz {
namespace {

namespace fs = std::filesystem;

// A cube of tets with two regions, one of them named, and triangles of a named part of its surface.
mesh::Mesh sample_mesh() {
  auto mesh = mesh::make_box({1, 1, 1}, {0, 0, 0}, {0.1, 0.1, 0.1});
  mesh.blocks[0].tags = {1, 1, 1, 2, 2, 2};
  auto& [triangles, tags] = mesh::make_block(mesh, mesh::Shape::triangle);
  triangles = mesh::subset(mesh::boundary_triangles(mesh), std::array<std::int32_t, 3>{0, 1, 2});
  tags = {3, 3, 4};
  mesh.groups = {{"core", {3, 2}}, {"wall", {2, 3}}};
  return mesh;
}

// The only files there are, for as long as the program runs.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("proxima_fuzz_{}", ::getpid())) {
    fs::create_directories(path_);
    mesh::write_msh(path_ / "mesh.msh", sample_mesh());
    write_file(path_ / "numbers.txt", "0 1 2 3 4 5");
    for (const auto& entry : fs::directory_iterator(PROXIMA_SOURCE_DIR "/dsl_examples"))
      if (entry.path().extension() == ".cpp") write_file(path_ / entry.path().filename(), "");
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path file(const fs::path& name) const { return path_ / name.filename(); }

 private:
  fs::path path_;
};

// Puts every file that the scene names into the folder.
class Confine {
 public:
  explicit Confine(const Folder& folder) : folder_(folder) {}

  void operator()(model::Scene& scene) const {
    for (auto& body : scene.bodies) {
      move(body.mesh.source);
      for (auto& material : body.materials) {
        move(material.region);
        move(material.stiffness_damping);
        if (material.density) move(*material.density);
        for (auto& energy : material.energies) {
          energy.file = folder_.file(energy.file);
          for (auto& entry : energy.parameters) move(entry.second);
          for (auto& entry : energy.directions) move(entry.second);
        }
      }
    }
  }

 private:
  template <class Variant>
  void move(Variant& value) const {
    if (auto* path = std::get_if<fs::path>(&value)) *path = folder_.file(*path);
  }

  const Folder& folder_;
};

void make_small(model::MeshSource& mesh) {
  static constexpr int most = 4;
  const auto cut = [](auto& counts) {
    for (auto& count : counts) count = std::min(count, most);
  };
  if (auto* box = std::get_if<model::BoxMesh>(&mesh.source)) cut(box->cells);
  if (auto* grid = std::get_if<model::GridMesh>(&mesh.source)) cut(grid->cells);
  if (auto* ball = std::get_if<model::BallMesh>(&mesh.source)) ball->layers = std::min(ball->layers, most);
}

std::shared_ptr<const ir::Energy> load_energy(const fs::path& file, const std::string& name) {
  static std::map<std::string, std::shared_ptr<const ir::Energy>> loaded;
  const auto known = name.empty() ? file.stem().string() : name;
  if (const auto found = loaded.find(known); found != loaded.end()) return found->second;
  return loaded[known] = std::make_shared<const ir::Energy>(dsl::find_energy(known));
}

}  // namespace

std::string feed_scene(std::string_view bytes) {
  static const Folder folder;
  try {
    auto scene = model::parse_scene(std::string(bytes), folder.file("input.json"));
    Confine{folder}(scene);
    for (auto& body : scene.bodies) make_small(body.mesh);
    model::build_model(scene, load_energy);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace proxima::fuzz
