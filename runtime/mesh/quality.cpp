#include "runtime/mesh/quality.hpp"

#include <algorithm>
#include <limits>

#include "runtime/mesh/edges.hpp"
#include "runtime/mesh/faces.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::mesh {
namespace {

using Corners = std::vector<Vector3>;

double squared_edges(const Corners& x) {
  double sum = 0;
  for (std::size_t a = 0; a < x.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) sum += dot(minus(x[a], x[b]), minus(x[a], x[b]));
  return sum;
}

double length(const Corners& x) { return norm(minus(x[1], x[0])); }
double area(const Corners& x) { return norm(cross(minus(x[1], x[0]), minus(x[2], x[0]))) / 2; }
double tet_measure(const Corners& x) {
  return triple_product(minus(x[1], x[0]), minus(x[2], x[0]), minus(x[3], x[0])) / 6;
}

double edge_quality(const Corners& x) { return length(x) > 0 ? 1 : 0; }
double triangle_quality(const Corners& x) { return 4 * std::sqrt(3) * area(x) / squared_edges(x); }
double tet_quality(const Corners& x) {
  const double volume = tet_measure(x);
  return std::copysign(12 * std::pow(3 * std::abs(volume), 2. / 3) / squared_edges(x), volume);
}

// The three neighbours of each corner of a hexahedron, in the order that makes a positive triple product.
constexpr int kNeighbours[8][3] = {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7},
                                   {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}};

double hex_quality(const Corners& x) {
  double least = 1;
  for (std::size_t c = 0; c < 8; ++c) {
    const auto a = minus(x[kNeighbours[c][0]], x[c]), b = minus(x[kNeighbours[c][1]], x[c]),
               d = minus(x[kNeighbours[c][2]], x[c]);
    const double det = triple_product(a, b, d), size = dot(a, a) + dot(b, b) + dot(d, d);
    least = std::min(least, std::copysign(3 * std::pow(std::abs(det), 2. / 3) / size, det));
  }
  return least;
}

// Exactly, by the divergence theorem over the faces with the centroid formula of bilinear patches: the volume of a
// trilinear hexahedron is the mean of the two ways to cut its faces into triangles.
double hex_measure(const Corners& x) {
  double sum = 0;
  for (const auto& face : face_table(Shape::hexahedron)->corner)
    for (int cut = 0; cut < 2; ++cut)
      for (int half = 0; half < 2; ++half) {
        const auto at = [&](int i) { return minus(x[face[(cut + i) % 4]], x[0]); };
        sum += triple_product(at(0), at(1 + half), at(2 + half)) / 6;
      }
  return sum / 2;
}

struct ShapeMeasures {
  Shape shape;
  double (*quality)(const Corners&);
  double (*measure)(const Corners&);
};
constexpr ShapeMeasures kMeasures[] = {
    {Shape::edge, edge_quality, length},
    {Shape::triangle, triangle_quality, area},
    {Shape::tetrahedron, tet_quality, tet_measure},
    {Shape::hexahedron, hex_quality, hex_measure},
};

const ShapeMeasures& row_of(Shape shape) {
  return *std::find_if(std::begin(kMeasures), std::end(kMeasures),
                       [&](const ShapeMeasures& each) { return each.shape == shape; });
}

std::vector<double> of_each(const Elements& elements, const std::vector<Vector3>& nodes,
                            double (*ShapeMeasures::*what)(const Corners&), double otherwise) {
  std::vector<double> result;
  for (std::size_t e = 0; e < elements.count(); ++e) {
    Corners x;
    for (const auto node : elements.of(e))
      if (node >= 0 && static_cast<std::size_t>(node) < nodes.size())
        x.push_back(nodes[static_cast<std::size_t>(node)]);
    const bool whole = x.size() == static_cast<std::size_t>(elements.corners);
    const double value = whole ? (row_of(elements.shape).*what)(x) : otherwise;
    result.push_back(std::isfinite(value) ? value : otherwise);
  }
  return result;
}

}  // namespace

std::vector<double> qualities(const Elements& elements, const std::vector<Vector3>& nodes) {
  return of_each(elements, nodes, &ShapeMeasures::quality, 0);
}

std::vector<double> measures(const Elements& elements, const std::vector<Vector3>& nodes) {
  return of_each(elements, nodes, &ShapeMeasures::measure, std::numeric_limits<double>::quiet_NaN());
}

bool is_degenerate(const Elements& elements, std::size_t element, double measure, const std::vector<Vector3>& nodes) {
  const auto corners = elements.of(element);
  double longest = 0;
  for (std::size_t a = 0; a < corners.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (corners[a] == corners[b]) return true;
      longest = std::max(longest, norm(minus(nodes[static_cast<std::size_t>(corners[a])],
                                             nodes[static_cast<std::size_t>(corners[b])])));
    }
  return !(std::abs(measure) > degenerate_share * std::pow(longest, shape_row(elements.shape).dimension));
}

SurfaceFacts surface_facts(const Elements& triangles, const std::vector<Vector3>& nodes) {
  SurfaceFacts facts;
  for_each_edge(sorted_sides(triangles), [&](std::span<const Side> sides) {
    if (sides.size() == 1) ++facts.boundary_edges;
    if (sides.size() > 2) ++facts.nonmanifold_edges;
    if (sides.size() == 2 && sides[0].forward == sides[1].forward) ++facts.opposed_edges;
  });
  for (std::size_t t = 0; t < triangles.count(); ++t) {
    const auto corners = triangles.of(t);
    const auto at = [&](std::size_t c) { return minus(nodes[static_cast<std::size_t>(corners[c])], nodes[0]); };
    facts.volume += triple_product(at(0), at(1), at(2)) / 6;
  }
  return facts;
}

}  // namespace proxima::mesh
