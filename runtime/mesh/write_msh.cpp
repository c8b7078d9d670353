// Gmsh 4.1 in text: one volume entity, with its physical group, for each tag.
#include <iterator>
#include <map>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {

void write_msh(const std::filesystem::path& file, const TetMesh& mesh) {
  if (mesh.tags.size() != mesh.tets.size()) throw std::logic_error("write_msh: one tag for each tet is needed");
  std::map<std::int32_t, std::vector<std::size_t>> tets_of;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    if (mesh.tags[t] < 0)
      fail("{}: cannot be written: Gmsh has no negative physical tags ({})", file.string(), mesh.tags[t]);
    tets_of[mesh.tags[t]].push_back(t);
  }

  std::string text = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
  const auto put = std::back_inserter(text);
  if (!mesh.group_names.empty()) {
    fmt::format_to(put, "$PhysicalNames\n{}\n", mesh.group_names.size());
    for (const auto& [name, tag] : mesh.group_names) fmt::format_to(put, "3 {} \"{}\"\n", tag, name);
    text += "$EndPhysicalNames\n";
  }

  // Entities are numbered from 1; tag 0 means no group. Bounding boxes are the mesh's: Gmsh asks for no better.
  const auto box = bounding_box(mesh);
  fmt::format_to(put, "$Entities\n0 0 0 {}\n", tets_of.size());
  int entity = 0;
  for (const auto& [tag, members] : tets_of) {
    fmt::format_to(put, "{} {} {} ", ++entity, fmt::join(box.lower, " "), fmt::join(box.upper, " "));
    tag == 0 ? fmt::format_to(put, "0 0\n") : fmt::format_to(put, "1 {} 0\n", tag);
  }
  text += "$EndEntities\n";

  const auto nodes = mesh.nodes.size();
  fmt::format_to(put, "$Nodes\n1 {} 1 {}\n3 1 0 {}\n", nodes, nodes, nodes);
  for (std::size_t i = 1; i <= nodes; ++i) fmt::format_to(put, "{}\n", i);
  for (const auto& x : mesh.nodes) fmt::format_to(put, "{}\n", fmt::join(x, " "));
  text += "$EndNodes\n";

  fmt::format_to(put, "$Elements\n{} {} 1 {}\n", tets_of.size(), mesh.tets.size(), mesh.tets.size());
  entity = 0;
  for (const auto& [tag, members] : tets_of) {
    fmt::format_to(put, "3 {} 4 {}\n", ++entity, members.size());
    for (const auto t : members) {
      const auto& [i, j, k, l] = mesh.tets[t];
      fmt::format_to(put, "{} {} {} {} {}\n", t + 1, i + 1, j + 1, k + 1, l + 1);
    }
  }
  write_file(file, text + "$EndElements\n");
}

}  // namespace proxima::mesh
