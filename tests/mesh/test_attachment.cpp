#include <gtest/gtest.h>

#include <cmath>

#include "runtime/mesh/attachment.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/mesh/shape_functions.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::mesh {
namespace {

using Motion = Vector3 (*)(const Vector3&);

Vector3 sheared(const Vector3& x) {
  return {1.2 * x[0] + 0.3 * x[1] - 0.1 * x[2] + 0.05, 0.9 * x[1] + 0.2 * x[2] - 0.4, -0.1 * x[0] + 1.1 * x[2] + 0.2};
}

Vector3 turned(const Vector3& x) {
  const double c = std::cos(0.7), s = std::sin(0.7);
  const Vector3 once{c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]};
  return {once[0] + 0.3, c * once[1] - s * once[2], s * once[1] + c * once[2] - 0.2};
}

std::vector<double> moved(const Mesh& mesh, Motion motion) {
  std::vector<double> positions;
  for (const auto& node : mesh.nodes)
    for (const double coordinate : motion(node)) positions.push_back(coordinate);
  return positions;
}

Vector3 resting(const Vector3& x) { return x; }

std::vector<Vector3> corners_of(const Attachment& attachment, std::span<const double> positions) {
  std::vector<Vector3> corners;
  for (const auto node : attachment.nodes) corners.push_back(vector_at(positions, node));
  return corners;
}

Attachment attached(const Mesh& mesh, const Vector3& point) {
  return attach(mesh, moved(mesh, resting), {&point, 1})[0];
}

// How far a point of the body is, after the motion of its nodes, from where that motion would put it.
double missed(const Mesh& mesh, const Vector3& point, Motion motion) {
  const auto attachment = attached(mesh, point);
  return norm(minus(attached_point(attachment, moved(mesh, motion)), motion(point)));
}

Mesh box(Shape shape) {
  const Vector3 lower{0, 0, 0}, upper{0.2, 0.1, 0.1};
  return shape == Shape::hexahedron ? make_hexahedra({4, 2, 2}, lower, upper) : make_box({4, 2, 2}, lower, upper);
}

TEST(Attachment, OfPointsInSolidsFollowsAffineMotions) {
  for (const auto shape : {Shape::tetrahedron, Shape::hexahedron})
    for (const Vector3& point : {Vector3{0.03, 0.02, 0.07}, {0.2, 0.033, 0.081}, {0.05, 0.05, 0.05}, {0, 0.1, 0.1}}) {
      const auto attachment = attached(box(shape), point);
      EXPECT_LT(attachment.distance, 1e-15);
      EXPECT_LT(missed(box(shape), point, sheared), 1e-15) << shape_row(shape).name << ' ' << point[0];
      EXPECT_LT(missed(box(shape), point, turned), 1e-15);
    }
}

TEST(Attachment, OfASkewHexahedronFindsItsOwnCoordinates) {
  const std::vector<Vector3> corners = {{0, 0, 0},     {1, 0.1, 0},   {1.2, 1, 0.1}, {0, 0.9, 0},
                                        {0.1, 0, 1.1}, {0.9, 0.1, 1}, {1, 1.1, 0.9}, {0, 1, 1.2}};
  const auto shares = cube_shares({0.3, -0.6, 0.8});
  Vector3 point{};
  for (std::size_t c = 0; c < 8; ++c) add(point, shares[c], corners[c]);
  const auto found = shares_at(Shape::hexahedron, corners, point);
  ASSERT_TRUE(found);
  for (std::size_t c = 0; c < 8; ++c) EXPECT_NEAR((*found)[c], shares[c], 1e-15);
}

TEST(Attachment, OffTheSurfaceTurnsWithItAndDoesNotGrow) {
  // Above a face, beyond an edge and beyond a corner.
  for (const Vector3& point : {Vector3{0.07, 0.04, 0.103}, {0.07, 0.102, 0.103}, {0.203, 0.104, 0.102}}) {
    for (const auto shape : {Shape::tetrahedron, Shape::hexahedron}) {
      EXPECT_GT(attached(box(shape), point).distance, 0.0029);
      EXPECT_LT(missed(box(shape), point, turned), 1e-15);
      const auto attachment = attached(box(shape), point);
      const auto corners = corners_of(attachment, moved(box(shape), sheared));
      Vector3 foot{};
      for (std::size_t k = 0; k < corners.size(); ++k) add(foot, attachment.weights[k], corners[k]);
      EXPECT_NEAR(norm(minus(attached_point(attachment, corners), foot)), attachment.distance, 1e-15);
    }
  }
  EXPECT_NEAR(attached(box(Shape::tetrahedron), {0.07, 0.04, 0.103}).distance, 0.003, 1e-15);
}

TEST(Attachment, ToSheetsAndEdges) {
  const auto sheet = make_triangle_grid({4, 4}, {0, 0, 0}, {0.2, 0, 0}, {0, 0.2, 0});
  EXPECT_LT(missed(sheet, {0.07, 0.03, 0}, sheared), 1e-15);
  EXPECT_LT(missed(sheet, {0.07, 0.03, -0.004}, turned), 1e-15);

  Mesh rod;
  rod.nodes = {{0, 0, 0}, {0.1, 0, 0}, {0.2, 0, 0}};
  auto& [edges, tags] = make_block(rod, Shape::edge);
  edges.nodes = {0, 1, 1, 2};
  tags = {0, 0};
  EXPECT_LT(missed(rod, {0.13, 0, 0}, sheared), 1e-15);
  const auto attachment = attached(rod, {0.13, 0.004, 0});
  const Vector3 there = attached_point(attachment, moved(rod, turned));
  const Vector3 foot = turned({0.13, 0, 0});
  EXPECT_NEAR(norm(minus(minus(there, foot), {0, 0.004, 0})), 0, 1e-15);
}

TEST(Attachment, OfWhatIsOutOfReachIsFarAway) {
  for (const double far : {1e30, 1e200, 1e308})
    for (const auto& mesh : {box(Shape::tetrahedron), box(Shape::hexahedron)})
      EXPECT_FALSE(attached(mesh, {far, -far, far}).distance < 1e29);
}

// Against central differences.
TEST(Attachment, HasTheDerivativesOfItsPoint) {
  for (const Vector3& point : {Vector3{0.03, 0.02, 0.07}, {0.07, 0.102, 0.103}}) {
    for (const auto shape : {Shape::tetrahedron, Shape::hexahedron}) {
      const auto attachment = attached(box(shape), point);
      const auto corners = corners_of(attachment, moved(box(shape), sheared));
      const Vector3 direction{0.3, -0.7, 0.5};
      const auto derivatives = corner_derivatives(attachment, corners, direction);
      for (std::size_t k = 0; k < corners.size(); ++k)
        for (std::size_t i = 0; i < 3; ++i) {
          constexpr double step = 1e-6;
          auto more = corners, less = corners;
          more[k][i] += step;
          less[k][i] -= step;
          const auto difference = minus(attached_point(attachment, more), attached_point(attachment, less));
          EXPECT_NEAR(derivatives[k][i], dot(direction, difference) / (2 * step), 1e-8);
        }
    }
  }
}

}  // namespace
}  // namespace proxima::mesh
