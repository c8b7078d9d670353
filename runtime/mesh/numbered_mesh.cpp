#include "runtime/mesh/numbered_mesh.hpp"

#include <algorithm>
#include <limits>

#include "compiler/support/error.hpp"

namespace proxima::mesh {

void NumberedMesh::add_node(std::int64_t number, const Vector3& x) { nodes_.push_back({number, x}); }

void NumberedMesh::add_tet(std::int64_t element, const std::array<std::int64_t, 4>& nodes, std::int32_t tag) {
  tets_.push_back({element, nodes, tag});
}

Mesh NumberedMesh::finish(const std::string& file, const std::string& instead) const {
  if (nodes_.empty()) fail("{}: no nodes", file);
  if (tets_.empty()) fail("{}: no tetrahedra{}; a volume mesh is needed", file, instead);
  if (nodes_.size() > std::numeric_limits<std::int32_t>::max()) {
    fail("{}: {} nodes are more than can be numbered", file, nodes_.size());
  }

  auto nodes = nodes_;
  std::sort(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.number < b.number; });
  Mesh mesh;
  mesh.nodes.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i > 0 && nodes[i].number == nodes[i - 1].number) fail("{}: two nodes have number {}", file, nodes[i].number);
    mesh.nodes.push_back(nodes[i].x);
  }

  const auto first = nodes.front().number;
  const auto index_of = [&](std::int64_t number, std::int64_t element) {
    // Most files number without gaps: try the place a node would then have.
    const auto guess = static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(first);
    if (guess < nodes.size() && nodes[guess].number == number) return static_cast<std::int32_t>(guess);
    const auto place = std::lower_bound(nodes.begin(), nodes.end(), number,
                                        [](const Node& node, std::int64_t wanted) { return node.number < wanted; });
    if (place == nodes.end() || place->number != number) {
      fail("{}: element {} names node {}, which the file does not define (its {} nodes have numbers from {} to {})",
           file, element, number, nodes.size(), first, nodes.back().number);
    }
    return static_cast<std::int32_t>(place - nodes.begin());
  };
  auto& tets = make_block(mesh, Shape::tetrahedron);
  for (const auto& [element, corners, tag] : tets_) {
    for (const auto corner : corners) tets.elements.nodes.push_back(index_of(corner, element));
    tets.tags.push_back(tag);
  }
  return mesh;
}

}  // namespace proxima::mesh
