#include "runtime/mesh/element_meshes.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"
#include "runtime/mesh/edges.hpp"
#include "runtime/mesh/generated.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::mesh {

Mesh make_hexahedra(std::array<int, 3> cells, Vector3 lower, Vector3 upper) {
  Mesh result{box_nodes(cells, lower, upper, 1), {}, {}};
  auto& [hexahedra, tags] = make_block(result, Shape::hexahedron);
  const auto number = [&](int i, int j, int k) { return i + (cells[0] + 1) * (j + (cells[1] + 1) * k); };
  for (int k = 0; k < cells[2]; ++k)
    for (int j = 0; j < cells[1]; ++j)
      for (int i = 0; i < cells[0]; ++i)
        for (int above = 0; above < 2; ++above)
          for (const auto& [a, b] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
            hexahedra.nodes.push_back(number(i + a, j + b, k + above));
  tags.assign(hexahedra.count(), 0);
  return result;
}

Mesh make_triangle_grid(std::array<int, 2> cells, Vector3 origin, Vector3 along, Vector3 across) {
  for (const int count : cells)
    if (count < 1) fail("a grid of triangles needs at least 1 cell along each side, not {}", count);
  require_generable(2.0 * cells[0] * cells[1], fmt::format("a grid of {} x {} cells", cells[0], cells[1]));
  constexpr double thinnest = 1e-12;  // as of triangles
  if (!(norm(cross(along, across)) > thinnest * norm(along) * norm(across)))
    fail("the sides of a grid of triangles span no area: ({}, {}, {}) and ({}, {}, {})", along[0], along[1], along[2],
         across[0], across[1], across[2]);
  Mesh result;
  auto& [triangles, tags] = make_block(result, Shape::triangle);
  for (int j = 0; j <= cells[1]; ++j)
    for (int i = 0; i <= cells[0]; ++i) {
      Vector3 x;
      for (int c = 0; c < 3; ++c) x[c] = origin[c] + along[c] * i / cells[0] + across[c] * j / cells[1];
      result.nodes.push_back(x);
    }
  for (int j = 0; j < cells[1]; ++j)
    for (int i = 0; i < cells[0]; ++i) {
      const int width = cells[0] + 1, a = i + width * j, b = a + 1, c = b + width, d = a + width;
      const auto corners = (i + j) % 2 == 0 ? std::array{a, b, c, a, c, d} : std::array{a, b, d, b, c, d};
      triangles.nodes.insert(triangles.nodes.end(), corners.begin(), corners.end());
    }
  tags.assign(triangles.count(), 0);
  return result;
}

Elements edges_of(const Elements& elements) {
  if (elements.shape != Shape::triangle && elements.shape != Shape::tetrahedron)
    fail("edges are made of triangles or tetrahedra, not of elements of the shape '{}'",
         shape_row(elements.shape).name);
  std::vector<std::array<std::int32_t, 2>> edges;
  for (std::size_t e = 0; e < elements.count(); ++e) {
    const auto nodes = elements.of(e);
    for (std::size_t a = 0; a < nodes.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) edges.push_back({std::min(nodes[a], nodes[b]), std::max(nodes[a], nodes[b])});
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  Elements result{Shape::edge, 2, {}};
  for (const auto& edge : edges) result.nodes.insert(result.nodes.end(), edge.begin(), edge.end());
  return result;
}

Elements hinges_of(const Elements& triangles) {
  if (triangles.shape != Shape::triangle)
    fail("hinges are made of triangles, not of elements of the shape '{}'", shape_row(triangles.shape).name);
  Elements result{Shape::hinge, 4, {}};
  for_each_edge(sorted_sides(triangles), [&](std::span<const Side> sides) {
    if (sides.size() == 1) return;
    const Side &a = sides[0], &b = sides[1];
    if (sides.size() > 2)
      fail("triangles {}, {} and {} share the edge {} {}; a hinge joins two", a.triangle, b.triangle, sides[2].triangle,
           a.low, a.high);
    if (a.forward == b.forward)
      fail("triangles {} and {} have opposite windings at their edge {} {}; reverse one", a.triangle, b.triangle, a.low,
           a.high);
    // From low to high in the first triangle of the hinge, from high to low in the second.
    const Side &first = a.forward ? a : b, &second = a.forward ? b : a;
    result.nodes.insert(result.nodes.end(), {a.low, a.high, first.opposite, second.opposite});
  });
  return result;
}

}  // namespace proxima::mesh
