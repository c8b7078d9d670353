#include "runtime/mesh/shape_functions.hpp"

#include <cmath>
#include <stdexcept>

#include "runtime/mesh/vectors.hpp"

namespace proxima::mesh {
namespace {

// The vector whose combination of the three columns is `right`.
Vector3 solved(const std::array<Vector3, 3>& columns, const Vector3& right) {
  const auto& [a, b, c] = columns;
  const double whole = triple_product(a, b, c);
  return {triple_product(right, b, c) / whole, triple_product(a, right, c) / whole,
          triple_product(a, b, right) / whole};
}

std::vector<double> in_tetrahedron(std::span<const Vector3> corners, const Vector3& point) {
  const auto& origin = corners[0];
  const auto s =
      solved({minus(corners[1], origin), minus(corners[2], origin), minus(corners[3], origin)}, minus(point, origin));
  return {1 - s[0] - s[1] - s[2], s[0], s[1], s[2]};
}

// By Newton's method from the middle, which finds the point of a parallelepiped at once.
std::optional<std::vector<double>> in_hexahedron(std::span<const Vector3> corners, const Vector3& point) {
  constexpr int most_iterations = 30;
  // In own coordinates. Newton's errors are squared in each iteration, and this one's square is rounding.
  constexpr double close = 1e-8, farthest = 10;
  Vector3 own{};
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const auto shares = cube_shares(own);
    const auto gradients = cube_gradients(own);
    Vector3 left = minus(point, corners[0]);
    std::array<Vector3, 3> columns{};
    for (std::size_t c = 0; c < 8; ++c) {
      const Vector3 arm = minus(corners[c], corners[0]);  // far from the origin it has more digits than a position
      add(left, -shares[c], arm);
      for (std::size_t i = 0; i < 3; ++i) add(columns[i], gradients[c][i], arm);
    }
    const auto change = solved(columns, left);
    add(own, 1, change);
    if (!(norm(own) < farthest)) return std::nullopt;
    if (norm(change) > close) continue;
    const auto found = cube_shares(own);
    return std::vector<double>(found.begin(), found.end());
  }
  return std::nullopt;
}

}  // namespace

std::array<double, 8> cube_shares(const Vector3& own) {
  std::array<double, 8> result{};
  for (std::size_t c = 0; c < 8; ++c) {
    result[c] = 1.0 / 8;
    for (std::size_t i = 0; i < 3; ++i) result[c] *= 1 + cube_corner[c][i] * own[i];
  }
  return result;
}

std::array<Vector3, 8> cube_gradients(const Vector3& own) {
  std::array<Vector3, 8> result{};
  for (std::size_t c = 0; c < 8; ++c) {
    double factor[3];
    for (std::size_t i = 0; i < 3; ++i) factor[i] = 1 + cube_corner[c][i] * own[i];
    for (std::size_t i = 0; i < 3; ++i)
      result[c][i] = cube_corner[c][i] * factor[(i + 1) % 3] * factor[(i + 2) % 3] / 8;
  }
  return result;
}

std::optional<std::vector<double>> shares_at(Shape shape, std::span<const Vector3> corners, const Vector3& point) {
  if (shape == Shape::tetrahedron) return in_tetrahedron(corners, point);
  if (shape == Shape::hexahedron) return in_hexahedron(corners, point);
  throw std::logic_error("only solids have their shape functions everywhere in space");
}

}  // namespace proxima::mesh
