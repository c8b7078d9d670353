#include "compiler/derive/rest_geometry.hpp"

#include <array>
#include <vector>

#include "compiler/ir/expression.hpp"

namespace proxima::derive {
namespace {

using ir::Expression;
using ir::Op;
using Vector = std::array<Expression, 3>;

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Expression dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector over(const Vector& a, Expression b) { return {a[0] / b, a[1] / b, a[2] / b}; }
Expression norm(const Vector& a) { return dot(a, a).apply(Op::sqrt); }

// The rest positions differentiated by the element's own coordinates: one vector each.
std::vector<Vector> tangents(ir::Graph& graph, Shape shape, const Nodes& rest, const Nodes& shape_gradients) {
  const auto at = [&](ir::NodeId node) { return Expression{&graph, node}; };
  std::vector<Vector> result(shape.dimension);
  for (std::uint32_t a = 0; a < shape.dimension; ++a)
    for (std::uint32_t i = 0; i < 3; ++i)
      for (std::uint32_t s = 1; s < shape.corners; ++s) {
        const ir::NodeId weight = shape_gradients[(s - 1) * shape.dimension + a];
        if (graph.is_constant(weight, 0)) continue;
        const Expression term = (at(rest[3 * s + i]) - at(rest[i])) * at(weight);
        result[a][i] = result[a][i].graph == nullptr ? term : result[a][i] + term;
      }
  return result;
}

// Rows: the gradients of the element's own coordinates.
struct Inverse {
  std::vector<std::vector<Expression>> rows;
  Expression volume;  // of the unit of the element's own coordinates
};

Inverse invert_solid(const std::vector<Vector>& t) {
  const std::array cofactors = {cross(t[1], t[2]), cross(t[2], t[0]), cross(t[0], t[1])};
  const Expression determinant = dot(t[0], cofactors[0]);
  Inverse result{.rows = {}, .volume = determinant};
  for (const Vector& row : cofactors) {
    const Vector scaled = over(row, determinant);
    result.rows.emplace_back(scaled.begin(), scaled.end());
  }
  return result;
}

// In the frame whose first axis is along t_0: t_0 = (a, 0), t_1 = (b, c), c > 0.
Inverse invert_surface(const std::vector<Vector>& t) {
  const Expression a = norm(t[0]), area = norm(cross(t[0], t[1]));
  const Expression b = dot(t[0], t[1]) / a, c = area / a;
  return {.rows = {{1 / a, -(b / area)}, {a.constant(0), 1 / c}}, .volume = area};
}

}  // namespace

RestGeometry rest_geometry(ir::Graph& graph, Shape shape, const Nodes& rest, const Nodes& shape_gradients,
                           ir::NodeId weight) {
  const auto t = tangents(graph, shape, rest, shape_gradients);
  const Inverse inverse = shape.dimension == 3 ? invert_solid(t) : invert_surface(t);
  RestGeometry result;
  for (std::uint32_t s = 1; s < shape.corners; ++s)
    for (std::uint32_t j = 0; j < shape.dimension; ++j) {
      Expression sum;
      for (std::uint32_t a = 0; a < shape.dimension; ++a) {
        const Expression factor{&graph, shape_gradients[(s - 1) * shape.dimension + a]};
        if (graph.is_constant(factor.node, 0)) continue;
        const Expression term = factor * inverse.rows[a][j];
        sum = sum.graph == nullptr ? term : sum + term;
      }
      result.gradients.push_back(sum.node);
    }
  result.volume = (Expression{&graph, weight} * inverse.volume).node;
  return result;
}

}  // namespace proxima::derive
