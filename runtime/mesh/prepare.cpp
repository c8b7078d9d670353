// Measuring a mesh, and making it fit for simulation.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "compiler/support/error.hpp"
#include "runtime/mesh/faces.hpp"
#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {
namespace {

constexpr double kDegenerate = 1e-12;  // of the longest edge cubed; a regular tet has 0.118

Vector3 minus(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

double longest_edge(const TetMesh& mesh, const std::array<std::int32_t, 4>& tet) {
  double longest = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) {
      const auto edge = minus(mesh.nodes[tet[i]], mesh.nodes[tet[j]]);
      longest = std::max(longest, std::hypot(edge[0], edge[1], edge[2]));
    }
  }
  return longest;
}

void check_tet(const TetMesh& mesh, std::size_t t, const std::string& name) {
  const auto& tet = mesh.tets[t];
  for (const auto node : tet) {
    if (node < 0 || static_cast<std::size_t>(node) >= mesh.nodes.size()) {
      fail("{}: tetrahedron {} names node {}, but nodes go from 0 to {}", name, t, node, mesh.nodes.size() - 1);
    }
    for (const double x : mesh.nodes[node]) {
      if (!std::isfinite(x)) fail("{}: node {} of tetrahedron {} has a coordinate that is {}", name, node, t, x);
    }
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) {
      if (tet[i] == tet[j]) {
        fail("{}: tetrahedron {} (nodes {} {} {} {}) names node {} twice", name, t, tet[0], tet[1], tet[2], tet[3],
             tet[i]);
      }
    }
  }
  const double size = volume(mesh, t);
  const double longest = longest_edge(mesh, tet);
  // Written so that overflow to infinity and underflow to 0 are refused as well.
  if (!(std::abs(size) > kDegenerate * longest * longest * longest)) {
    fail(
        "{}: tetrahedron {} (nodes {} {} {} {}) is degenerate: its volume is {:.3g}, its longest edge {:.3g}; "
        "remesh, or remove it",
        name, t, tet[0], tet[1], tet[2], tet[3], size, longest);
  }
}

// Two tets on the same side of one face overlap, as an element that is listed twice does; mass and stiffness there
// would count double.
void check_overlap(const TetMesh& mesh, const std::string& name) {
  const auto faces = sorted_faces(mesh);
  for (std::size_t i = 1; i < faces.size(); ++i) {
    const auto &a = faces[i - 1], &b = faces[i];
    if (a.sorted == b.sorted && a.odd == b.odd) {
      fail(
          "{}: tetrahedra {} and {} overlap: both lie on the same side of the face {} {} {} (Gmsh 2.2 files list an "
          "element once for each physical group it is in; save as 4.1)",
          name, a.index / 4, b.index / 4, a.sorted[0], a.sorted[1], a.sorted[2]);
    }
  }
}

// Drops nodes that no tet uses, keeping the order of the others; returns the new number of each, -1 where dropped.
std::vector<std::int32_t> remove_unused(TetMesh& mesh) {
  std::vector<std::int32_t> node_map(mesh.nodes.size(), -1);
  for (const auto& tet : mesh.tets) {
    for (const auto node : tet) node_map[node] = 0;
  }
  std::int32_t kept = 0;
  for (std::size_t node = 0; node < mesh.nodes.size(); ++node) {
    if (node_map[node] < 0) continue;
    mesh.nodes[kept] = mesh.nodes[node];
    node_map[node] = kept++;
  }
  mesh.nodes.resize(kept);
  for (auto& tet : mesh.tets) {
    for (auto& node : tet) node = node_map[node];
  }
  return node_map;
}

}  // namespace

double volume(const TetMesh& mesh, std::size_t tet) {
  const auto& [i, j, k, l] = mesh.tets[tet];
  const auto a = minus(mesh.nodes[j], mesh.nodes[i]);
  const auto b = minus(mesh.nodes[k], mesh.nodes[i]);
  const auto c = minus(mesh.nodes[l], mesh.nodes[i]);
  return ((a[1] * b[2] - a[2] * b[1]) * c[0] + (a[2] * b[0] - a[0] * b[2]) * c[1] +
          (a[0] * b[1] - a[1] * b[0]) * c[2]) /
         6;
}

Repairs prepare(TetMesh& mesh, const std::string& name) {
  if (mesh.tets.empty()) fail("{}: no tetrahedra; a volume mesh is needed", name);
  if (mesh.tags.size() != mesh.tets.size()) {
    fail("{}: {} tags for {} tetrahedra; one each is needed", name, mesh.tags.size(), mesh.tets.size());
  }
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) check_tet(mesh, t, name);

  Repairs repairs;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    if (volume(mesh, t) > 0) continue;
    std::swap(mesh.tets[t][2], mesh.tets[t][3]);
    ++repairs.flipped;
  }
  check_overlap(mesh, name);
  const std::size_t node_count = mesh.nodes.size();
  repairs.node_map = remove_unused(mesh);
  repairs.unused_removed = node_count - mesh.nodes.size();
  return repairs;
}

Box bounding_box(const TetMesh& mesh) {
  Box box{mesh.nodes.at(0), mesh.nodes.at(0)};
  for (const auto& x : mesh.nodes) {
    for (int c = 0; c < 3; ++c) {
      box.lower[c] = std::min(box.lower[c], x[c]);
      box.upper[c] = std::max(box.upper[c], x[c]);
    }
  }
  return box;
}

std::vector<std::int32_t> connected_components(const TetMesh& mesh, std::int32_t& count) {
  std::vector<std::int32_t> parent(mesh.nodes.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](std::int32_t node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  // The lower number becomes the root, so that pieces are numbered in the order of their first nodes.
  for (const auto& tet : mesh.tets) {
    for (int i = 1; i < 4; ++i) {
      const auto a = root(tet[0]), b = root(tet[i]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<std::int32_t> piece(mesh.nodes.size());
  count = 0;
  for (std::size_t node = 0; node < piece.size(); ++node) {
    const auto first = root(static_cast<std::int32_t>(node));
    piece[node] = static_cast<std::size_t>(first) == node ? count++ : piece[first];
  }
  return piece;
}

}  // namespace proxima::mesh
