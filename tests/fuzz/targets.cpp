#include "tests/fuzz/targets.hpp"

#include <string>

#include "compiler/support/error.hpp"
#include "runtime/mesh/quality.hpp"
#include "runtime/mesh/readers.hpp"
#include "runtime/model/markers.hpp"
#include "tests/fuzz/scene_target.hpp"

namespace proxima::fuzz {
namespace {

template <mesh::Mesh (*reader)(const std::string&, std::string_view)>
std::string feed_mesh(std::string_view bytes) {
  try {
    auto mesh = reader("input", bytes);
    mesh::find_faults(mesh);
    mesh::prepare(mesh, "input");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// The .node file, a line "%%", the .ele file.
mesh::Mesh read_pair(const std::string& name, std::string_view bytes) {
  constexpr std::string_view kBetween = "%%\n";
  const auto place = std::min(bytes.find(kBetween), bytes.size());
  const auto rest = std::min(place + kBetween.size(), bytes.size());
  return mesh::read_tetgen({name + ".node", name + ".ele", bytes.substr(0, place), bytes.substr(rest)});
}

std::string feed_markers(std::string_view bytes) {
  try {
    model::marker_places(model::parse_sightings(bytes, 1, "input"), std::nullopt);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

constexpr Target kTargets[] = {
    {"scene", feed_scene},
    {"markers", feed_markers},
    {"msh", feed_mesh<mesh::read_msh>},
    {"vtk", feed_mesh<mesh::read_legacy_vtk>},
    {"vtu", feed_mesh<mesh::read_vtu>},
    {"tetgen", feed_mesh<read_pair>},
    {"obj", feed_mesh<mesh::read_obj>},
    {"stl", feed_mesh<mesh::read_stl>},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

}  // namespace proxima::fuzz
