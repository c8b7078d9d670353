// A column of cubes at a time: where the surface crosses the line through its centres, and which way, gives the winding
// number of each centre.
#include <algorithm>
#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/mesh/bodies.hpp"

namespace proxima::mesh {
namespace {

struct Crossing {
  double height;
  int turn;  // of the winding number of what is above: +1 where the surface's normal points down
};

struct Grid {
  Vector3 lower;
  double side;
  std::array<int, 3> cells;

  double centre(int axis, int i) const { return lower[axis] + side * (i + 0.5); }
  std::size_t column(int i, int j) const {
    return static_cast<std::size_t>(i) + static_cast<std::size_t>(cells[0]) * j;
  }
};

Grid make_grid(const Mesh& mesh, const Elements& triangles, double side, const std::string& name) {
  constexpr double kMost = 5e7;
  if (!(side > 0) || !std::isfinite(side)) fail("the side of a voxel must be above 0, not {}", side);
  Vector3 lower = mesh.nodes.at(static_cast<std::size_t>(triangles.nodes[0])), upper = lower;
  for (const auto node : triangles.nodes)
    for (int c = 0; c < 3; ++c) {
      const double x = mesh.nodes.at(static_cast<std::size_t>(node))[c];
      if (!std::isfinite(x)) fail("{}: node {} has a coordinate that is {}", name, node, x);
      lower[c] = std::min(lower[c], x);
      upper[c] = std::max(upper[c], x);
    }
  Grid grid{lower, side, {}};
  double cells = 1;
  for (int c = 0; c < 3; ++c) {
    // Rounding must not add a layer where the side divides the length.
    const double count = std::max(1.0, std::ceil((upper[c] - lower[c]) / side - 1e-9));
    cells *= count;
    if (cells > kMost)
      fail("{}: more than {:g} voxels of side {} fit into its box; make them larger", name, kMost, side);
    grid.cells[c] = static_cast<int>(count);
  }
  return grid;
}

// On which side of the line from a to b, seen from above, a point lies: 1 or -1, 0 where a and b are one point from
// above. The ends are taken in the order of their numbers, so that both triangles at an edge get the same answer.
int side_of(const Vector3& a, const Vector3& b, double x, double y) {
  const double turn = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
  if (turn != 0) return turn > 0 ? 1 : -1;
  // As if the point were at (x + e, y + e^2).
  if (a[1] != b[1]) return a[1] > b[1] ? 1 : -1;
  if (a[0] != b[0]) return b[0] > a[0] ? 1 : -1;
  return 0;
}

// 1 or -1 where the point is inside the triangle seen from above, by the sense of its corners; 0 where it is not.
int turn_about(const Mesh& mesh, std::span<const std::int32_t> corners, double x, double y) {
  int sense = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const auto from = corners[c], to = corners[(c + 1) % 3];
    const auto &a = mesh.nodes[static_cast<std::size_t>(std::min(from, to))],
               &b = mesh.nodes[static_cast<std::size_t>(std::max(from, to))];
    const int side = from < to ? side_of(a, b, x, y) : -side_of(a, b, x, y);
    if (side == 0 || (c > 0 && side != sense)) return 0;
    sense = side;
  }
  return sense;
}

double height_at(const Mesh& mesh, std::span<const std::int32_t> corners, double x, double y) {
  const auto& a = mesh.nodes[static_cast<std::size_t>(corners[0])];
  const auto& b = mesh.nodes[static_cast<std::size_t>(corners[1])];
  const auto& c = mesh.nodes[static_cast<std::size_t>(corners[2])];
  const double ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - a[0], vy = c[1] - a[1], px = x - a[0], py = y - a[1];
  const double area = ux * vy - uy * vx;
  const double s = (px * vy - py * vx) / area, t = (ux * py - uy * px) / area;
  const double height = a[2] + s * (b[2] - a[2]) + t * (c[2] - a[2]);
  // A sliver seen from above gives no height; it spans none to speak of along the line that only just meets it.
  return std::isfinite(height) ? std::clamp(height, std::min({a[2], b[2], c[2]}), std::max({a[2], b[2], c[2]})) : a[2];
}

std::vector<std::vector<Crossing>> crossings(const Mesh& mesh, const Elements& triangles, const Grid& grid) {
  std::vector<std::vector<Crossing>> columns(grid.column(0, grid.cells[1]));
  for (std::size_t t = 0; t < triangles.count(); ++t) {
    const auto corners = triangles.of(t);
    int first[2], last[2];
    for (int axis = 0; axis < 2; ++axis) {
      double low = mesh.nodes[static_cast<std::size_t>(corners[0])][axis], high = low;
      for (const auto node : corners) {
        low = std::min(low, mesh.nodes[static_cast<std::size_t>(node)][axis]);
        high = std::max(high, mesh.nodes[static_cast<std::size_t>(node)][axis]);
      }
      first[axis] = std::max(0, static_cast<int>((low - grid.lower[axis]) / grid.side - 1));
      last[axis] = std::min(grid.cells[axis] - 1, static_cast<int>((high - grid.lower[axis]) / grid.side + 1));
    }
    for (int j = first[1]; j <= last[1]; ++j)
      for (int i = first[0]; i <= last[0]; ++i) {
        const double x = grid.centre(0, i), y = grid.centre(1, j);
        // Seen from above a triangle turns to the left where its normal points up: leaving the body.
        const int turn = turn_about(mesh, corners, x, y);
        if (turn != 0) columns[grid.column(i, j)].push_back({height_at(mesh, corners, x, y), -turn});
      }
  }
  return columns;
}

// Corner nodes of the cubes that are there, numbered as they are met.
class Corners {
 public:
  Corners(const Grid& grid, Mesh& mesh)
      : grid_(grid),
        mesh_(mesh),
        numbers_(std::size_t{1} * (grid.cells[0] + 1) * (grid.cells[1] + 1) * (grid.cells[2] + 1), -1) {}

  std::int32_t at(int i, int j, int k) {
    auto& number = numbers_[static_cast<std::size_t>(i) +
                            static_cast<std::size_t>(grid_.cells[0] + 1) *
                                (static_cast<std::size_t>(j) + static_cast<std::size_t>(grid_.cells[1] + 1) * k)];
    if (number < 0) {
      number = static_cast<std::int32_t>(mesh_.nodes.size());
      const auto& low = grid_.lower;
      mesh_.nodes.push_back({low[0] + grid_.side * i, low[1] + grid_.side * j, low[2] + grid_.side * k});
    }
    return number;
  }

 private:
  const Grid& grid_;
  Mesh& mesh_;
  std::vector<std::int32_t> numbers_;
};

}  // namespace

Mesh make_voxels(const Mesh& surface, double side, const std::string& name) {
  const auto triangles = closed_surface(surface, name);
  const auto grid = make_grid(surface, triangles, side, name);
  auto columns = crossings(surface, triangles, grid);

  Mesh mesh;
  auto& [hexahedra, tags] = make_block(mesh, Shape::hexahedron);
  Corners corners(grid, mesh);
  for (int j = 0; j < grid.cells[1]; ++j)
    for (int i = 0; i < grid.cells[0]; ++i) {
      auto& column = columns[grid.column(i, j)];
      std::sort(column.begin(), column.end(), [](const Crossing& a, const Crossing& b) { return a.height < b.height; });
      int winding = 0;
      auto next = column.begin();
      for (int k = 0; k < grid.cells[2]; ++k) {
        for (; next != column.end() && next->height < grid.centre(2, k); ++next) winding += next->turn;
        if (winding == 0) continue;
        for (int above = 0; above < 2; ++above)
          for (const auto& [a, b] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
            hexahedra.nodes.push_back(corners.at(i + a, j + b, k + above));
      }
    }
  if (hexahedra.count() == 0) fail("{}: no voxel of side {} has its centre inside; make them smaller", name, side);
  tags.assign(hexahedra.count(), 0);
  return mesh;
}

}  // namespace proxima::mesh
