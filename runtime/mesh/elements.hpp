// Element shapes and their rest geometry: quadrature points with shape gradients and measure, for any set of linear
// elements. An energy sees only what is computed here, so it does not know on which solid it lives. Knows nothing of
// materials, kernels or files.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::mesh {

using Vector3 = std::array<double, 3>;

enum class Shape : std::uint8_t { point, edge, triangle, tetrahedron, hexahedron, hinge, stencil };

struct ShapeRow {
  std::string_view name;  // for messages: "tetrahedron"
  std::string_view plural;
  std::string_view label;  // before a number: "tet"
  std::string_view measure_unit;
  int corners;    // 0: any number, given with the elements
  int dimension;  // of the rest coordinates that gradients are taken in; 0: no gradients, measure 1
  int points;     // quadrature points
};
const ShapeRow& shape_row(Shape shape);

// An element is degenerate whose measure is not above this share of its longest edge to the power of its dimension.
inline constexpr double degenerate_share = 1e-12;

// Elements of one shape. The order of corners:
//   triangle     positive turn about its normal;
//   tetrahedron  positive volume: (x1-x0) x (x2-x0) . (x3-x0) > 0;
//   hexahedron   0 (---), 1 (+--), 2 (++-), 3 (-+-), 4 to 7 above them, as in VTK and Gmsh;
//   hinge        0 and 1 on the shared edge, 2 opposite in the triangle 0 1 2, 3 opposite in the triangle 1 0 3.
struct Elements {
  Shape shape = Shape::tetrahedron;
  int corners = 4;                  // of each
  std::vector<std::int32_t> nodes;  // `corners` numbers an element, element after element

  bool operator==(const Elements&) const = default;
  std::size_t count() const { return nodes.size() / static_cast<std::size_t>(corners); }
  std::span<const std::int32_t> of(std::size_t element) const {
    const auto width = static_cast<std::size_t>(corners);
    return std::span(nodes).subspan(width * element, width);
  }
  std::span<std::int32_t> of(std::size_t element) {
    const auto width = static_cast<std::size_t>(corners);
    return std::span(nodes).subspan(width * element, width);
  }
};

// At rest, element after element, point after point of each. Gradients are row by row, corners 1 on (corner 0's is
// minus their sum), in 1/m; axes are those of space for solids, those of the frame for triangles, and along the edge
// for edges. The sum of the measures of an element's points is its volume (m^3), area (m^2) or length (m), or 1 for
// hinges, stencils and points.
struct RestGeometry {
  int corners = 0, dimension = 0, points = 0;
  std::vector<double> gradients;  // (corners - 1) * dimension a point
  std::vector<double> measure;    // one a point
  // Triangles only, 9 an element: rows are two unit tangents (the first along the edge from corner 0 to 1) and the
  // normal.
  std::vector<double> frames;
};

// Quadrature is exact for linear elements; a hexahedron has 2 x 2 x 2 Gauss points (Hughes, The Finite Element Method,
// 2000, section 3.8). Throws Error naming `name`, the element counted from 0 and its nodes for: nodes that do not exist
// or occur twice in an element, coordinates that are not finite, an element that is degenerate (measure below 1e-12 of
// its longest edge to the power of its dimension) or, for solids, inside out at a quadrature point; a hinge with a
// degenerate triangle.
RestGeometry rest_geometry(const Elements& elements, std::span<const Vector3> nodes, const std::string& name);

// y += sum over the points of bars[point] times the derivative of that point's measure by the nodes' rest positions, 3
// a node, m. `rest` is that of these elements; where the measure is 1 there is nothing to add.
void add_measure_pull_back(const Elements& elements, const RestGeometry& rest, std::span<const Vector3> nodes,
                           std::span<const double> bars, std::span<double> y);

// Of elements that are no simplex (hexahedra): the shape functions differentiated by the element's own coordinates, at
// each point for corners 1 on, row by row; all points have the weight 1.
std::vector<double> own_shape_gradients(Shape shape);

// Some of the elements, by their numbers.
Elements subset(const Elements& elements, std::span<const std::int32_t> numbers);

}  // namespace proxima::mesh
