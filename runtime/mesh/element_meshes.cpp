#include "runtime/mesh/element_meshes.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"

namespace proxima::mesh {

Mesh make_hexahedra(std::array<int, 3> cells, Vector3 lower, Vector3 upper) {
  // The nodes, and the checks of the arguments, are those of a box of tetrahedra.
  Mesh result{make_box(cells, lower, upper).nodes, {}, {}};
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
  struct Side {
    std::int32_t low, high, from, opposite;
    std::size_t triangle;
  };
  std::vector<Side> sides;
  for (std::size_t t = 0; t < triangles.count(); ++t) {
    const auto nodes = triangles.of(t);
    for (std::size_t c = 0; c < 3; ++c) {
      const auto from = nodes[c], to = nodes[(c + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), from, nodes[(c + 2) % 3], t});
    }
  }
  const auto same = [](const Side& a, const Side& b) { return a.low == b.low && a.high == b.high; };
  std::stable_sort(sides.begin(), sides.end(),
                   [](const Side& a, const Side& b) { return std::pair(a.low, a.high) < std::pair(b.low, b.high); });
  Elements result{Shape::hinge, 4, {}};
  for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
    if (!same(sides[i], sides[i + 1])) continue;
    const Side &a = sides[i], &b = sides[i + 1];
    if (i + 2 < sides.size() && same(a, sides[i + 2]))
      fail("triangles {}, {} and {} share the edge {} {}; a hinge joins two", a.triangle, b.triangle,
           sides[i + 2].triangle, a.low, a.high);
    if (a.from == b.from)
      fail("triangles {} and {} have opposite windings at their edge {} {}; reverse one", a.triangle, b.triangle, a.low,
           a.high);
    // From low to high in the first triangle of the hinge, from high to low in the second.
    const Side &first = a.from == a.low ? a : b, &second = a.from == a.low ? b : a;
    result.nodes.insert(result.nodes.end(), {a.low, a.high, first.opposite, second.opposite});
    ++i;
  }
  return result;
}

}  // namespace proxima::mesh
