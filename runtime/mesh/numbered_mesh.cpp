#include "runtime/mesh/numbered_mesh.hpp"

#include <algorithm>
#include <limits>

#include "compiler/support/error.hpp"

namespace proxima::mesh {
namespace {

std::string describe(const std::map<std::string, std::size_t>& left_out) {
  std::string text;
  for (const auto& [name, count] : left_out) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  return text.empty() ? text : fmt::format(" (found {})", text);
}

}  // namespace

void NumberedMesh::add(const ElementKind& kind, std::int64_t element, std::span<const std::int64_t> nodes,
                       std::int32_t tag) {
  if (kind.corners.empty()) {
    ++left_out_[std::string(kind.name)];
    return;
  }
  auto& listed = listed_[kind.shape];
  for (const auto corner : kind.corners) listed.nodes.push_back(nodes[corner]);
  const auto pieces = kind.corners.size() / static_cast<std::size_t>(shape_row(kind.shape).corners);
  listed.elements.insert(listed.elements.end(), pieces, element);
  listed.tags.insert(listed.tags.end(), pieces, tag);
}

Mesh NumberedMesh::finish(const std::string& file) const {
  if (nodes_.empty()) fail("{}: no nodes", file);
  if (listed_.empty())
    fail("{}: no edges, triangles, tetrahedra or hexahedra{}; a mesh of these is needed", file, describe(left_out_));
  if (nodes_.size() > std::numeric_limits<std::int32_t>::max())
    fail("{}: {} nodes are more than can be numbered", file, nodes_.size());

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
  for (const auto& [shape, listed] : listed_) {
    auto& [elements, tags] = make_block(mesh, shape);
    const auto corners = static_cast<std::size_t>(elements.corners);
    elements.nodes.reserve(listed.nodes.size());
    for (std::size_t i = 0; i < listed.nodes.size(); ++i)
      elements.nodes.push_back(index_of(listed.nodes[i], listed.elements[i / corners]));
    tags = listed.tags;
  }
  mesh.left_out = left_out_;
  return mesh;
}

}  // namespace proxima::mesh
