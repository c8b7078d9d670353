#include "runtime/mesh/merge.hpp"

#include <algorithm>
#include <limits>

#include "runtime/mesh/disjoint_sets.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::mesh {

// Along one axis neighbours are near in the sorted order, so each node is compared with those within the tolerance
// there.
std::vector<std::size_t> merge_nodes(Mesh& mesh, double tolerance) {
  std::vector<std::size_t> order;
  for (std::size_t node = 0; node < mesh.nodes.size(); ++node) {
    const auto& x = mesh.nodes[node];
    if (std::all_of(x.begin(), x.end(), [](double c) { return std::isfinite(c); })) order.push_back(node);
  }
  // A skew direction, since grids have whole planes of nodes at one coordinate.
  const Vector3 direction = {0.8017837257372732, 0.5345224838248488, 0.2672612419124244};  // (3, 2, 1) / sqrt(14)
  std::vector<double> along(mesh.nodes.size());
  for (const auto node : order) along[node] = dot(direction, mesh.nodes[node]);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(along[a], a) < std::pair(along[b], b); });

  DisjointSets sets(mesh.nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size() && along[order[j]] - along[order[i]] <= tolerance; ++j) {
      if (norm(minus(mesh.nodes[order[j]], mesh.nodes[order[i]])) <= tolerance) sets.join(order[i], order[j]);
    }

  std::vector<std::size_t> merged;
  for (std::size_t node = 0; node < mesh.nodes.size(); ++node)
    if (sets.of(node) != node) merged.push_back(node);
  for (auto& block : mesh.blocks)
    for (auto& node : block.elements.nodes) node = static_cast<std::int32_t>(sets.of(static_cast<std::size_t>(node)));
  return merged;
}

double diagonal(const Mesh& mesh) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Vector3 lower = {kInfinity, kInfinity, kInfinity}, upper = {-kInfinity, -kInfinity, -kInfinity};
  for (const auto& x : mesh.nodes)
    for (std::size_t c = 0; c < 3; ++c) {
      if (!std::isfinite(x[c])) continue;
      lower[c] = std::min(lower[c], x[c]);
      upper[c] = std::max(upper[c], x[c]);
    }
  const double length = norm(minus(upper, lower));
  return std::isfinite(length) ? length : 0;
}

}  // namespace proxima::mesh
