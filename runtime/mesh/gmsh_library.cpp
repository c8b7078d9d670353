// Gmsh's library as an optional module: loaded at run time by its C interface (gmshc.h of version 4.8), never linked,
// since it is GPL.
#include <dlfcn.h>

#include <memory>

#include "compiler/support/error.hpp"
#include "runtime/mesh/bodies.hpp"

namespace proxima::mesh {
namespace {

constexpr const char* kLibrary = "libgmsh.so.4.8";
constexpr int kTriangle = 2, kTetrahedron = 4;  // Gmsh's element types

// The functions that are used. Each reports failure through its last argument.
struct Api {
  void (*initialize)(int argc, char** argv, int read_config_files, int* error);
  void (*finalize)(int* error);
  void (*set_number)(const char* name, double value, int* error);
  int (*add_discrete_entity)(int dimension, int tag, int* boundary, std::size_t boundaries, int* error);
  void (*add_nodes)(int dimension, int tag, std::size_t* tags, std::size_t tag_count, double* x, std::size_t x_count,
                    double* parametric, std::size_t parametric_count, int* error);
  void (*add_elements)(int tag, int type, std::size_t* tags, std::size_t tag_count, std::size_t* nodes,
                       std::size_t node_count, int* error);
  int (*add_surface_loop)(int* surfaces, std::size_t count, int tag, int* error);
  int (*add_volume)(int* shells, std::size_t count, int tag, int* error);
  void (*synchronize)(int* error);
  void (*generate)(int dimension, int* error);
  void (*get_nodes)(std::size_t** tags, std::size_t* tag_count, double** x, std::size_t* x_count, double** parametric,
                    std::size_t* parametric_count, int dimension, int tag, int with_boundary, int with_parametric,
                    int* error);
  void (*get_elements)(int type, std::size_t** tags, std::size_t* tag_count, std::size_t** nodes,
                       std::size_t* node_count, int tag, std::size_t task, std::size_t tasks, int* error);
  void (*last_error)(char** text, int* error);
  void (*free)(void* memory);
};

void* open_library() {
  static void* const library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  return library;
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) fail("{} has no function {}; version 4.8 is needed", kLibrary, name);
}

Api load() {
  void* const library = open_library();
  if (library == nullptr)
    fail(
        "tetrahedra are made by Gmsh's library, and {} cannot be loaded; on Debian 12 'apt-get install libgmsh4.8' "
        "installs it",
        kLibrary);
  Api api;
  find(library, "gmshInitialize", api.initialize);
  find(library, "gmshFinalize", api.finalize);
  find(library, "gmshOptionSetNumber", api.set_number);
  find(library, "gmshModelAddDiscreteEntity", api.add_discrete_entity);
  find(library, "gmshModelMeshAddNodes", api.add_nodes);
  find(library, "gmshModelMeshAddElementsByType", api.add_elements);
  find(library, "gmshModelGeoAddSurfaceLoop", api.add_surface_loop);
  find(library, "gmshModelGeoAddVolume", api.add_volume);
  find(library, "gmshModelGeoSynchronize", api.synchronize);
  find(library, "gmshModelMeshGenerate", api.generate);
  find(library, "gmshModelMeshGetNodes", api.get_nodes);
  find(library, "gmshModelMeshGetElementsByType", api.get_elements);
  find(library, "gmshLoggerGetLastError", api.last_error);
  find(library, "gmshFree", api.free);
  return api;
}

// One use of the library, from its start to its end; calls that fail become Errors naming `name`.
class Session {
 public:
  Session(const Api& api, std::string name) : api_(api), name_(std::move(name)) {
    call(api_.initialize, 0, nullptr, 0);
  }
  ~Session() {
    int ignored = 0;
    api_.finalize(&ignored);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  template <class Result, class... Parameters, class... Arguments>
  Result call(Result (*function)(Parameters...), Arguments... arguments) const {
    int error = 0;
    if constexpr (std::is_void_v<Result>) {
      function(arguments..., &error);
      if (error != 0) complain();
    } else {
      const auto result = function(arguments..., &error);
      if (error != 0) complain();
      return result;
    }
  }

 private:
  [[noreturn]] void complain() const {
    char* text = nullptr;
    int error = 0;
    api_.last_error(&text, &error);
    const std::string reason = text == nullptr ? "it does not say why" : text;
    api_.free(text);
    fail("{}: Gmsh cannot fill the surface with tetrahedra: {}", name_, reason);
  }

  const Api& api_;
  std::string name_;
};

// An array that Gmsh allocated.
template <class Value>
struct Array {
  explicit Array(const Api& api) : api_(api) {}
  ~Array() { api_.free(values); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  Value* values = nullptr;
  std::size_t count = 0;

 private:
  const Api& api_;
};

void give_surface(const Session& gmsh, const Api& api, const Mesh& surface, const Elements& triangles) {
  std::vector<std::size_t> node_tags, element_tags, corners;
  std::vector<double> x;
  for (std::size_t node = 0; node < surface.nodes.size(); ++node) {
    node_tags.push_back(node + 1);
    x.insert(x.end(), surface.nodes[node].begin(), surface.nodes[node].end());
  }
  for (const auto node : triangles.nodes) corners.push_back(static_cast<std::size_t>(node) + 1);
  for (std::size_t t = 0; t < triangles.count(); ++t) element_tags.push_back(t + 1);
  int entity = gmsh.call(api.add_discrete_entity, 2, 1, nullptr, std::size_t{0});
  gmsh.call(api.add_nodes, 2, entity, node_tags.data(), node_tags.size(), x.data(), x.size(), nullptr, std::size_t{0});
  gmsh.call(api.add_elements, entity, kTriangle, element_tags.data(), element_tags.size(), corners.data(),
            corners.size());
  int loop = gmsh.call(api.add_surface_loop, &entity, std::size_t{1}, 1);
  gmsh.call(api.add_volume, &loop, std::size_t{1}, 1);
  gmsh.call(api.synchronize);
}

Mesh take_tetrahedra(const Session& gmsh, const Api& api, const std::string& name) {
  Array<std::size_t> tags(api), element_tags(api), corners(api);
  Array<double> x(api), parametric(api);
  gmsh.call(api.get_nodes, &tags.values, &tags.count, &x.values, &x.count, &parametric.values, &parametric.count, -1,
            -1, 0, 0);
  gmsh.call(api.get_elements, kTetrahedron, &element_tags.values, &element_tags.count, &corners.values, &corners.count,
            -1, std::size_t{0}, std::size_t{1});
  if (corners.count == 0) fail("{}: Gmsh made no tetrahedra of the surface", name);
  Mesh mesh;
  std::map<std::size_t, std::int32_t> numbers;
  for (std::size_t i = 0; i < tags.count; ++i) {
    numbers[tags.values[i]] = static_cast<std::int32_t>(i);
    mesh.nodes.push_back({x.values[3 * i], x.values[3 * i + 1], x.values[3 * i + 2]});
  }
  auto& [tets, element_tag] = make_block(mesh, Shape::tetrahedron);
  for (std::size_t i = 0; i < corners.count; ++i) tets.nodes.push_back(numbers.at(corners.values[i]));
  element_tag.assign(tets.count(), 0);
  prepare(mesh, name);
  return mesh;
}

}  // namespace

bool gmsh_is_there(std::string& why) {
  if (open_library() != nullptr) return true;
  const char* reason = ::dlerror();
  why = reason == nullptr ? fmt::format("{} cannot be loaded", kLibrary) : reason;
  return false;
}

Mesh make_tetrahedra(const Mesh& surface, double size, const std::string& name) {
  if (!(size >= 0)) fail("the size of tetrahedra must not be negative: {}", size);
  const auto triangles = closed_surface(surface, name);
  const auto api = load();
  const Session gmsh(api, name);
  gmsh.call(api.set_number, "General.Terminal", 0.0);
  if (size > 0) gmsh.call(api.set_number, "Mesh.CharacteristicLengthMax", size);
  give_surface(gmsh, api, surface, triangles);
  gmsh.call(api.generate, 3);
  return take_tetrahedra(gmsh, api, name);
}

}  // namespace proxima::mesh
