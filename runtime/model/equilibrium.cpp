#include "runtime/model/equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compiler/support/error.hpp"

namespace proxima::model {
namespace {

// Held nodes closer to a line than this share of its length do not keep the body from turning about it.
constexpr double in_line = 1e-6;

// Disjoint sets of nodes, each named by its first node.
class Pieces {
 public:
  explicit Pieces(std::size_t nodes) : parent_(nodes) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::size_t of(std::size_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
  void join(std::size_t a, std::size_t b) {
    a = of(a);
    b = of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

Pieces pieces_of(const Model& model) {
  Pieces pieces(model.mesh.nodes.size());
  for (const auto& region : model.regions) {
    if (region.energy->dissipation || region.load) continue;  // they store nothing that a body could rest on
    const auto& elements = region.elements;
    for (std::size_t e = 0; e < elements.count(); ++e)
      for (const auto node : elements.of(e))
        pieces.join(static_cast<std::size_t>(elements.of(e)[0]), static_cast<std::size_t>(node));
  }
  return pieces;
}

Vector3 difference(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double length(const Vector3& v) { return std::hypot(v[0], v[1], v[2]); }

bool span_a_plane(const std::vector<Vector3>& points) {
  Vector3 line{};
  for (const auto& point : points)
    if (const auto arm = difference(point, points[0]); length(arm) > length(line)) line = arm;
  return std::any_of(points.begin(), points.end(), [&](const Vector3& point) {
    const auto arm = difference(point, points[0]);
    const Vector3 area = {line[1] * arm[2] - line[2] * arm[1], line[2] * arm[0] - line[0] * arm[2],
                          line[0] * arm[1] - line[1] * arm[0]};
    return length(area) > in_line * length(line) * length(line);
  });
}

}  // namespace

void require_held_pieces(const Model& model) {
  const std::size_t nodes = model.mesh.nodes.size();
  Pieces pieces = pieces_of(model);
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
        "can "
        "move as a rigid body and has no equilibrium; quasi-static steps need three that are not in a line",
        size[node], node_name(model.bodies, node), rest[0], rest[1], rest[2], held[node].size(),
        held[node].size() > 2 ? " in a line" : "");
  }
}

}  // namespace proxima::model
