// The two bodies that need no mesh file.
#include <algorithm>
#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/mesh/generated.hpp"
#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {
namespace {

// The orders in which a path from corner 000 to corner 111 of a cube can take the axes: one tet each (Kuhn, 1960). The
// orders at odd places are odd permutations, whose tets have negative volume until two corners are exchanged.
constexpr int kAxisOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};

using Lattice = std::array<int, 3>;

// The four corners of Kuhn tet `order` in the unit cube at `origin`, positively oriented.
std::array<Lattice, 4> kuhn_corners(Lattice origin, int order) {
  std::array<Lattice, 4> corners;
  corners[0] = origin;
  for (int step = 0; step < 3; ++step) {
    corners[step + 1] = corners[step];
    ++corners[step + 1][kAxisOrders[order][step]];
  }
  if (order % 2 == 1) std::swap(corners[2], corners[3]);
  return corners;
}

// The regular icosahedron on the unit sphere: vertices are the cyclic permutations of (0, +-1, +-golden ratio), and
// three of them form a face when they are nearest neighbours. Faces come out oriented outwards.
struct Icosahedron {
  std::vector<Vector3> vertices;
  std::vector<std::array<int, 3>> faces;

  Icosahedron() {
    const double golden = (1 + std::sqrt(5.0)) / 2;
    const double length = std::hypot(1.0, golden);
    for (int axis = 0; axis < 3; ++axis) {
      for (const double a : {-1.0, 1.0}) {
        for (const double b : {-golden, golden}) {
          Vector3 vertex{};
          vertex[(axis + 1) % 3] = a / length;
          vertex[(axis + 2) % 3] = b / length;
          vertices.push_back(vertex);
        }
      }
    }
    const auto adjacent = [&](int i, int j) {
      double squared = 0;
      for (int c = 0; c < 3; ++c) squared += std::pow(vertices[i][c] - vertices[j][c], 2);
      return squared < 1.5;  // neighbours are 1.05 apart, the next nearest 1.70
    };
    for (int i = 0; i < 12; ++i) {
      for (int j = i + 1; j < 12; ++j) {
        for (int k = j + 1; k < 12; ++k) {
          if (!adjacent(i, j) || !adjacent(j, k) || !adjacent(i, k)) continue;
          const auto &a = vertices[i], &b = vertices[j], &c = vertices[k];
          const double outward = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                                 a[2] * (b[0] * c[1] - b[1] * c[0]);
          faces.push_back(outward > 0 ? std::array{i, j, k} : std::array{i, k, j});
        }
      }
    }
  }
};

}  // namespace

void require_generable(double elements, const std::string& what) {
  if (elements > kMostGenerated)
    fail("{} has {:.4g} elements; at most {:.4g} are generated", what, elements, kMostGenerated);
}

std::vector<Vector3> box_nodes(std::array<int, 3> cells, Vector3 lower, Vector3 upper, int elements_per_cell) {
  double elements = elements_per_cell;
  for (int c = 0; c < 3; ++c) {
    if (cells[c] < 1) fail("a box mesh needs at least 1 cell along each axis, not {}", cells[c]);
    if (!(lower[c] < upper[c]) || !std::isfinite(lower[c]) || !std::isfinite(upper[c])) {
      fail("a box mesh needs lower < upper along each axis, not {} and {}", lower[c], upper[c]);
    }
    elements *= cells[c];
  }
  require_generable(elements, fmt::format("a box mesh of {} x {} x {} cells", cells[0], cells[1], cells[2]));
  std::vector<Vector3> nodes;
  for (int k = 0; k <= cells[2]; ++k) {
    for (int j = 0; j <= cells[1]; ++j) {
      for (int i = 0; i <= cells[0]; ++i) {
        const Lattice p{i, j, k};
        Vector3 x;
        // Written so that both ends are met exactly.
        for (int c = 0; c < 3; ++c) x[c] = (lower[c] * (cells[c] - p[c]) + upper[c] * p[c]) / cells[c];
        nodes.push_back(x);
      }
    }
  }
  return nodes;
}

Mesh make_box(std::array<int, 3> cells, Vector3 lower, Vector3 upper) {
  Mesh mesh{box_nodes(cells, lower, upper, std::size(kAxisOrders)), {}, {}};
  auto& tets = make_block(mesh, Shape::tetrahedron);
  const auto number = [&](Lattice p) { return p[0] + (cells[0] + 1) * (p[1] + (cells[1] + 1) * p[2]); };
  for (int k = 0; k < cells[2]; ++k) {
    for (int j = 0; j < cells[1]; ++j) {
      for (int i = 0; i < cells[0]; ++i) {
        for (int order = 0; order < 6; ++order) {
          for (const auto& corner : kuhn_corners({i, j, k}, order)) tets.elements.nodes.push_back(number(corner));
        }
      }
    }
  }
  tets.tags.assign(tets.elements.count(), 0);
  return mesh;
}

// Twenty tets join the centre to the faces of an icosahedron. Each is cut into layers^3 tets as Kuhn's cut of the
// simplex layers >= x >= y >= z >= 0, which divides every face into the same triangular lattice, so that neighbours
// fit. Then each layer, an icosahedron, is pushed out to its sphere. No tet has two faces on the boundary: those are
// what flattens when a cube is made round.
Mesh make_ball(int layers, Vector3 centre, double radius) {
  if (layers < 1) fail("a ball mesh needs at least 1 layer, not {}", layers);
  require_generable(20.0 * layers * layers * layers, fmt::format("a ball mesh of {} layers", layers));
  if (!(radius > 0) || !std::isfinite(radius)) fail("a ball mesh needs a positive radius, not {}", radius);

  const Icosahedron icosahedron;
  Mesh mesh;
  auto& tets = make_block(mesh, Shape::tetrahedron);
  // A lattice point is named by its weights at icosahedron vertices: those that are not zero, in order of vertex.
  using Weight = std::pair<int, int>;
  std::map<std::array<Weight, 3>, std::int32_t> numbers;

  for (const auto& face : icosahedron.faces) {
    const auto number = [&](Lattice p) {
      std::array<Weight, 3> weights = {Weight{face[0], p[0] - p[1]}, Weight{face[1], p[1] - p[2]},
                                       Weight{face[2], p[2]}};
      for (auto& [vertex, weight] : weights) {
        if (weight == 0) vertex = -1;
      }
      std::sort(weights.begin(), weights.end());
      const auto [entry, is_new] = numbers.try_emplace(weights, static_cast<std::int32_t>(mesh.nodes.size()));
      if (is_new) {
        Vector3 direction{};
        for (const auto& [vertex, weight] : weights) {
          for (int c = 0; c < 3 && weight > 0; ++c) direction[c] += weight * icosahedron.vertices[vertex][c];
        }
        const double length = std::hypot(direction[0], direction[1], direction[2]);
        const double scale = length > 0 ? radius * p[0] / (layers * length) : 0;
        mesh.nodes.push_back(
            {centre[0] + scale * direction[0], centre[1] + scale * direction[1], centre[2] + scale * direction[2]});
      }
      return entry->second;
    };
    for (int x = 0; x < layers; ++x) {
      for (int y = 0; y <= x; ++y) {
        for (int z = 0; z <= y; ++z) {
          for (int order = 0; order < 6; ++order) {
            const auto corners = kuhn_corners({x, y, z}, order);
            const bool inside = std::all_of(corners.begin(), corners.end(),
                                            [](const Lattice& p) { return p[0] >= p[1] && p[1] >= p[2]; });
            if (!inside) continue;
            for (const auto& corner : corners) tets.elements.nodes.push_back(number(corner));
          }
        }
      }
    }
  }
  tets.tags.assign(tets.elements.count(), 0);
  return mesh;
}

}  // namespace proxima::mesh
