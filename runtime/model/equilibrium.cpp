#include "runtime/model/equilibrium.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"
#include "runtime/mesh/disjoint_sets.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::model {
namespace {

// Held nodes closer to a line than this share of its length do not keep the body from turning about it.
constexpr double in_line = 1e-6;

// Nodes that elements connect.
mesh::DisjointSets pieces_of(const Model& model) {
  mesh::DisjointSets pieces(model.mesh.nodes.size());
  for (const auto& region : model.regions) {
    if (region.energy->dissipation || region.load) continue;  // they store nothing that a body could rest on
    const auto& elements = region.elements;
    for (std::size_t e = 0; e < elements.count(); ++e)
      for (const auto node : elements.of(e))
        pieces.join(static_cast<std::size_t>(elements.of(e)[0]), static_cast<std::size_t>(node));
  }
  return pieces;
}

bool span_a_plane(const std::vector<Vector3>& points) {
  Vector3 line{};
  for (const auto& point : points)
    if (const auto arm = mesh::minus(point, points[0]); mesh::norm(arm) > mesh::norm(line)) line = arm;
  return std::any_of(points.begin(), points.end(), [&](const Vector3& point) {
    const auto arm = mesh::minus(point, points[0]);
    return mesh::norm(mesh::cross(line, arm)) > in_line * mesh::norm(line) * mesh::norm(line);
  });
}

}  // namespace

void require_held_pieces(const Model& model) {
  const std::size_t nodes = model.mesh.nodes.size();
  auto pieces = pieces_of(model);
  std::vector<std::vector<Vector3>> held(nodes);  // of the piece that the node is the first of
  std::vector<std::size_t> size(nodes);
  for (std::size_t node = 0; node < nodes; ++node) ++size[pieces.of(node)];
  for (const auto& dirichlet : model.dirichlet)
    for (const auto node : dirichlet.nodes)
      held[pieces.of(static_cast<std::size_t>(node))].push_back(model.mesh.nodes[static_cast<std::size_t>(node)]);
  for (const auto& region : model.regions)  // energies of single nodes tie them to points in space
    if (region.elements.corners == 1 && !region.energy->dissipation)
      for (const auto node : region.elements.nodes)
        held[pieces.of(static_cast<std::size_t>(node))].push_back(model.mesh.nodes[static_cast<std::size_t>(node)]);
  for (std::size_t node = 0; node < nodes; ++node) {
    if (size[node] == 0 || span_a_plane(held[node])) continue;
    if (held[node].size() == size[node]) continue;  // nothing of it is free
    const auto& rest = model.mesh.nodes[node];
    fail(
        "the piece of {} nodes that begins with {} (at rest {:.4g} {:.4g} {:.4g}) is held at {} nodes{}, so it "
        "can move as a rigid body and has no equilibrium; quasi-static steps need three that are not in a line",
        size[node], node_name(model.bodies, node), rest[0], rest[1], rest[2], held[node].size(),
        held[node].size() > 2 ? " in a line" : "");
  }
}

}  // namespace proxima::model
