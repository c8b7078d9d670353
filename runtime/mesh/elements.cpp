#include "runtime/mesh/elements.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/mesh/shape_functions.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::mesh {
namespace {

constexpr double kGauss = 0.57735026918962576451;  // 1/sqrt(3)

constexpr ShapeRow kRows[] = {
    {"point", "points", "point", "", 1, 0, 1},
    {"edge", "edges", "edge", "m", 2, 1, 1},
    {"triangle", "triangles", "triangle", "m^2", 3, 2, 1},
    {"tetrahedron", "tetrahedra", "tet", "m^3", 4, 3, 1},
    {"hexahedron", "hexahedra", "hex", "m^3", 8, 3, 8},
    {"hinge", "hinges", "hinge", "", 4, 0, 1},
    {"stencil", "stencils", "stencil", "", 0, 0, 1},
};

// Columns of a 3x3 matrix: rest positions differentiated by the three reference coordinates.
using Jacobian = std::array<Vector3, 3>;

// At a Gauss point, whose own coordinates are a corner's, scaled.
std::array<Vector3, 8> gauss_gradients(std::size_t point) {
  Vector3 own{};
  for (std::size_t i = 0; i < 3; ++i) own[i] = kGauss * cube_corner[point][i];
  return cube_gradients(own);
}

double determinant(const Jacobian& J) { return dot(cross(J[0], J[1]), J[2]); }

// Rows of the inverse: the gradients in space of the reference coordinates.
Jacobian inverse_rows(const Jacobian& J) {
  const double scale = 1 / determinant(J);
  return {scaled(scale, cross(J[1], J[2])), scaled(scale, cross(J[2], J[0])), scaled(scale, cross(J[0], J[1]))};
}

// One element, with what its messages need.
class Element {
 public:
  Element(const Elements& elements, std::size_t number, std::span<const Vector3> nodes, const std::string& name)
      : nodes_(elements.of(number)), number_(number), row_(shape_row(elements.shape)), name_(name) {
    for (const auto node : nodes_) {
      if (node < 0 || static_cast<std::size_t>(node) >= nodes.size())
        refuse(fmt::format("names node {}, but nodes go from 0 to {}", node, static_cast<long>(nodes.size()) - 1));
      if (std::count(nodes_.begin(), nodes_.end(), node) > 1) refuse(fmt::format("names node {} twice", node));
      const Vector3& x = nodes[static_cast<std::size_t>(node)];
      for (const double value : x)
        if (!std::isfinite(value)) refuse(fmt::format("has node {} with a coordinate that is {}", node, value));
      corners_.push_back(x);
    }
    for (std::size_t a = 0; a < corners_.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) longest_ = std::max(longest_, norm(minus(corners_[a], corners_[b])));
  }

  Vector3 edge(std::size_t from, std::size_t to) const { return minus(corners_[to], corners_[from]); }
  const std::vector<Vector3>& corners() const { return corners_; }

  // Written so that overflow to infinity and underflow to 0 are refused as well.
  void require(double measure, int dimension, const std::string& where = "") const {
    if (std::abs(measure) > degenerate_share * std::pow(longest_, dimension)) {
      if (measure > 0) return;
      refuse(fmt::format("is inside out{}: its Jacobian there is {:.3g}; its corners may be in another order", where,
                         measure));
    }
    refuse(fmt::format("is degenerate{}: its measure is {:.3g}, its longest edge {:.3g}; remesh, or remove it", where,
                       measure, longest_));
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    fail("{}: {} {} (nodes {}) {}", name_, row_.name, number_, fmt::join(nodes_, " "), what);
  }

  std::span<const std::int32_t> nodes_;
  std::size_t number_;
  const ShapeRow& row_;
  const std::string& name_;
  std::vector<Vector3> corners_;
  double longest_ = 0;
};

void put(std::vector<double>& values, const Vector3& v) { values.insert(values.end(), v.begin(), v.end()); }

void add_edge(const Element& element, RestGeometry& out) {
  const double length = norm(element.edge(0, 1));
  element.require(length, 1);
  out.gradients.push_back(1 / length);
  out.measure.push_back(length);
}

void add_triangle(const Element& element, RestGeometry& out) {
  const Vector3 a = element.edge(0, 1), b = element.edge(0, 2), normal = cross(a, b);
  const double area = norm(normal) / 2;
  element.require(area, 2);
  const Vector3 n = scaled(1 / norm(normal), normal), t = scaled(1 / norm(a), a), s = cross(n, t);
  // Rest coordinates (|a|, 0) and (b.t, b.s); the gradients are the rows of the inverse of the matrix of these columns.
  const double width = norm(a), along = dot(b, t), height = dot(b, s);
  out.gradients.insert(out.gradients.end(), {1 / width, -along / (width * height), 0, 1 / height});
  out.measure.push_back(area);
  for (const auto& axis : {t, s, n}) put(out.frames, axis);
}

void add_tetrahedron(const Element& element, RestGeometry& out) {
  const Jacobian J = {element.edge(0, 1), element.edge(0, 2), element.edge(0, 3)};
  const double volume = determinant(J) / 6;
  element.require(volume, 3);
  for (const auto& gradient : inverse_rows(J)) put(out.gradients, gradient);
  out.measure.push_back(volume);
}

void add_hexahedron(const Element& element, RestGeometry& out) {
  for (std::size_t q = 0; q < 8; ++q) {
    const std::array<Vector3, 8> reference = gauss_gradients(q);
    Jacobian J{};
    for (int c = 0; c < 8; ++c) {
      // Edges from corner 0 instead of positions: far from the origin they have more digits.
      const Vector3 arm = minus(element.corners()[c], element.corners()[0]);
      for (int i = 0; i < 3; ++i)
        for (int axis = 0; axis < 3; ++axis) J[i][axis] += arm[axis] * reference[c][i];
    }
    const double measure = determinant(J);
    element.require(measure, 3, fmt::format(" at quadrature point {}", q));
    const Jacobian rows = inverse_rows(J);
    for (int c = 1; c < 8; ++c)
      for (int axis = 0; axis < 3; ++axis)
        out.gradients.push_back(reference[c][0] * rows[0][axis] + reference[c][1] * rows[1][axis] +
                                reference[c][2] * rows[2][axis]);
    out.measure.push_back(measure);
  }
}

void add_hinge(const Element& element, RestGeometry& out) {
  for (const std::size_t opposite : {2, 3})
    element.require(norm(cross(element.edge(0, 1), element.edge(0, opposite))) / 2, 2,
                    fmt::format(" in its triangle {}", opposite - 1));
  out.measure.push_back(1);
}

void add_stencil(const Element&, RestGeometry& out) { out.measure.push_back(1); }

// By Shape.
constexpr void (*kAdd[])(const Element&, RestGeometry&) = {add_stencil,    add_edge,  add_triangle, add_tetrahedron,
                                                           add_hexahedron, add_hinge, add_stencil};

}  // namespace

const ShapeRow& shape_row(Shape shape) { return kRows[static_cast<std::size_t>(shape)]; }

RestGeometry rest_geometry(const Elements& elements, std::span<const Vector3> nodes, const std::string& name) {
  const ShapeRow& row = shape_row(elements.shape);
  if (elements.corners < 1 || (row.corners != 0 && row.corners != elements.corners))
    fail("{}: a {} has {} corners, not {}", name, row.name,
         row.corners == 0 ? "at least 1" : std::to_string(row.corners), elements.corners);
  if (elements.nodes.size() % static_cast<std::size_t>(elements.corners) != 0)
    fail("{}: {} node numbers are no whole number of elements with {} corners", name, elements.nodes.size(),
         elements.corners);
  RestGeometry result{elements.corners, row.dimension, row.points, {}, {}, {}};
  for (std::size_t e = 0; e < elements.count(); ++e)
    kAdd[static_cast<std::size_t>(elements.shape)](Element(elements, e, nodes, name), result);
  return result;
}

// A measure is the determinant of the rest positions' derivative: its own derivative by corner s is measure times the
// gradient of that corner's shape function, here in the axes of space.
void add_measure_pull_back(const Elements& elements, const RestGeometry& rest, std::span<const Vector3> nodes,
                           std::span<const double> bars, std::span<double> y) {
  const auto dimension = static_cast<std::size_t>(rest.dimension), points = static_cast<std::size_t>(rest.points);
  const std::size_t width = static_cast<std::size_t>(rest.corners - 1) * dimension;
  for (std::size_t point = 0; point < bars.size() && dimension > 0; ++point) {
    const std::size_t e = point / points;
    const auto corners = elements.of(e);
    const auto axis = [&](std::size_t a) -> Vector3 {
      if (dimension == 3) return {a == 0 ? 1.0 : 0.0, a == 1 ? 1.0 : 0.0, a == 2 ? 1.0 : 0.0};
      if (dimension == 2)
        return {rest.frames[9 * e + 3 * a], rest.frames[9 * e + 3 * a + 1], rest.frames[9 * e + 3 * a + 2]};
      return scaled(1 / rest.measure[point], minus(nodes[corners[1]], nodes[corners[0]]));
    };
    const double factor = bars[point] * rest.measure[point];
    for (std::size_t a = 0; a < dimension; ++a) {
      const Vector3 direction = axis(a);
      for (std::size_t s = 1; s < corners.size(); ++s) {
        const double along = factor * rest.gradients[point * width + (s - 1) * dimension + a];
        for (std::size_t i = 0; i < 3; ++i) {
          y[3 * static_cast<std::size_t>(corners[s]) + i] += along * direction[i];
          y[3 * static_cast<std::size_t>(corners[0]) + i] -= along * direction[i];
        }
      }
    }
  }
}

std::vector<double> own_shape_gradients(Shape shape) {
  std::vector<double> result;
  if (shape != Shape::hexahedron) return result;
  for (std::size_t q = 0; q < 8; ++q) {
    const auto gradients = gauss_gradients(q);
    for (int c = 1; c < 8; ++c) put(result, gradients[c]);
  }
  return result;
}

Elements subset(const Elements& elements, std::span<const std::int32_t> numbers) {
  Elements result{elements.shape, elements.corners, {}};
  result.nodes.reserve(numbers.size() * static_cast<std::size_t>(elements.corners));
  for (const auto number : numbers) {
    const auto corners = elements.of(static_cast<std::size_t>(number));
    result.nodes.insert(result.nodes.end(), corners.begin(), corners.end());
  }
  return result;
}

}  // namespace proxima::mesh
