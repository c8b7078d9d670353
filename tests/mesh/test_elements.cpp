// Rest geometry of every shape: linear fields give their exact gradient on distorted elements, measures agree with
// independent formulas, and elements that cannot be used are refused by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compiler/support/error.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "tests/mesh/samples.hpp"

namespace proxima::mesh {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

using Matrix = std::array<double, 9>;

Vector3 times(const Matrix& A, const Vector3& x) {
  Vector3 y{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) y[i] += A[3 * i + j] * x[j];
  return y;
}

double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector3 minus(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

constexpr Matrix general = {0.7, -0.4, 0.2, 0.9, 1.3, -0.6, 0.1, 0.5, -1.1};

// Moves every node by up to `size` along each axis, the same way each time.
void distort(std::vector<Vector3>& nodes, double size) {
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (std::size_t i = 0; i < 3; ++i) nodes[n][i] += size * std::sin(12.9898 * static_cast<double>(3 * n + i + 1));
}

// sum over corners of u_s (x) g_s for the field u = A x + b, 3 rows of `dimension`.
std::vector<double> field_gradient(const Elements& elements, const RestGeometry& rest, std::size_t point,
                                   const std::vector<Vector3>& nodes, const Matrix& A) {
  const auto dimension = static_cast<std::size_t>(rest.dimension);
  const auto corners = elements.of(point / static_cast<std::size_t>(rest.points));
  std::vector<double> result(3 * dimension);
  for (std::size_t s = 1; s < corners.size(); ++s) {
    const Vector3 change = times(A, minus(nodes[corners[s]], nodes[corners[0]]));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < dimension; ++j)
        result[i * dimension + j] += change[i] * rest.gradients[((corners.size() - 1) * point + s - 1) * dimension + j];
  }
  return result;
}

struct Solid {
  std::string name;
  Mesh mesh;
};

class SolidElements : public testing::TestWithParam<Solid> {};

TEST_P(SolidElements, GiveTheExactGradientOfALinearField) {
  const auto& mesh = GetParam().mesh;
  const auto rest = rest_geometry(mesh.blocks[0].elements, mesh.nodes, "mesh");
  ASSERT_EQ(rest.measure.size(), mesh.blocks[0].elements.count() * static_cast<std::size_t>(rest.points));
  for (std::size_t point = 0; point < rest.measure.size(); ++point) {
    const auto gradient = field_gradient(mesh.blocks[0].elements, rest, point, mesh.nodes, general);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(gradient[k], general[k], 1e-12) << "point " << point;
  }
}

// The patch test in its weak form: a constant stress leaves nodes inside the body without force.
TEST_P(SolidElements, BalanceAConstantStressAtInnerNodes) {
  const auto& mesh = GetParam().mesh;
  const auto rest = rest_geometry(mesh.blocks[0].elements, mesh.nodes, "mesh");
  std::vector<Vector3> force(mesh.nodes.size());
  for (std::size_t point = 0; point < rest.measure.size(); ++point) {
    const auto corners = mesh.blocks[0].elements.of(point / static_cast<std::size_t>(rest.points));
    for (std::size_t s = 1; s < corners.size(); ++s) {
      const double* g = &rest.gradients[3 * ((corners.size() - 1) * point + s - 1)];
      const Vector3 pull = times(general, {g[0], g[1], g[2]});
      for (std::size_t i = 0; i < 3; ++i) {
        force[corners[s]][i] += rest.measure[point] * pull[i];
        force[corners[0]][i] -= rest.measure[point] * pull[i];
      }
    }
  }
  std::size_t inner = 0;
  for (int k = 1; k < 3; ++k)
    for (int j = 1; j < 3; ++j)
      for (int i = 1; i < 3; ++i, ++inner)
        for (const double component : force[i + 4 * (j + 4 * k)]) EXPECT_NEAR(component, 0, 1e-13);
  EXPECT_EQ(inner, 8u);
}

std::vector<Solid> solids() {
  std::vector<Solid> result;
  const Mesh tets = make_box({3, 3, 3}, {0, 0, 0}, {1, 2, 1.5});
  result.push_back({"tetrahedra", tets});
  result.push_back({"hexahedra", make_hexahedra({3, 3, 3}, {0, 0, 0}, {1, 2, 1.5})});
  for (auto& solid : result) distort(solid.mesh.nodes, 0.05);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Distorted, SolidElements, testing::ValuesIn(solids()),
                         [](const auto& chosen) { return chosen.param.name; });

// The surface of a trilinear hexahedron is made of bilinear patches. The volume between such a patch and the origin is
// the mean over its two cuts into triangles, so the divergence theorem gives the volume without any quadrature.
double hexahedron_volume(std::span<const std::int32_t> corners, const std::vector<Vector3>& nodes) {
  constexpr int faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  double total = 0;
  for (const auto& face : faces)
    for (const auto& [a, b, c] : {std::array{0, 1, 2}, {0, 2, 3}, {0, 1, 3}, {1, 2, 3}}) {
      const auto &p = nodes[corners[face[a]]], &q = nodes[corners[face[b]]], &r = nodes[corners[face[c]]];
      total += dot(p, cross(q, r)) / 12;
    }
  return total;
}

TEST(Hexahedron, HasTheVolumeInsideItsBilinearFaces) {
  auto mesh = make_hexahedra({2, 2, 2}, {0, 0, 0}, {1, 1, 1});
  distort(mesh.nodes, 0.08);
  const auto rest = rest_geometry(mesh.blocks[0].elements, mesh.nodes, "mesh");
  for (std::size_t e = 0; e < mesh.blocks[0].elements.count(); ++e) {
    const double found = std::accumulate(&rest.measure[8 * e], &rest.measure[8 * e] + 8, 0.0);
    EXPECT_NEAR(found, hexahedron_volume(mesh.blocks[0].elements.of(e), mesh.nodes), 1e-15);
    EXPECT_GT(std::abs(found - 0.125), 1e-3);  // the distortion is not lost in the tolerance
  }
}

TEST(Hexahedron, OfABoxHasEqualPoints) {
  const auto mesh = make_hexahedra({2, 1, 3}, {-1, 0, 0}, {1, 2, 9});
  const auto rest = rest_geometry(mesh.blocks[0].elements, mesh.nodes, "mesh");
  EXPECT_EQ(mesh.blocks[0].elements.count(), 6u);
  for (const double measure : rest.measure) EXPECT_NEAR(measure, 1.0 * 2 * 3 / 8, 1e-14);
}

TEST(Triangle, HasItsAreaAndGradientsInItsFrame) {
  auto mesh = make_triangle_grid({3, 2}, {0.2, 0.1, 0}, {1, 0.3, 0.2}, {0.1, 1, -0.4});
  distort(mesh.nodes, 0.05);
  const auto rest = rest_geometry(mesh.blocks[0].elements, mesh.nodes, "cloth");
  ASSERT_EQ(rest.measure.size(), 12u);
  for (std::size_t e = 0; e < 12; ++e) {
    const auto corners = mesh.blocks[0].elements.of(e);
    const Vector3 a = minus(mesh.nodes[corners[1]], mesh.nodes[corners[0]]);
    const Vector3 b = minus(mesh.nodes[corners[2]], mesh.nodes[corners[0]]);
    EXPECT_NEAR(rest.measure[e], std::sqrt(dot(a, a) * dot(b, b) - dot(a, b) * dot(a, b)) / 2, 1e-15);
    const double* frame = &rest.frames[9 * e];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const double product =
            frame[3 * i] * frame[3 * j] + frame[3 * i + 1] * frame[3 * j + 1] + frame[3 * i + 2] * frame[3 * j + 2];
        EXPECT_NEAR(product, i == j, 1e-14);
      }
    EXPECT_GT(dot(cross(a, b), {frame[6], frame[7], frame[8]}), 0);
    // The 3 x 2 gradient of u = A x is A times the two tangents.
    const auto gradient = field_gradient(mesh.blocks[0].elements, rest, e, mesh.nodes, general);
    for (int t = 0; t < 2; ++t) {
      const Vector3 expected = times(general, {frame[3 * t], frame[3 * t + 1], frame[3 * t + 2]});
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(gradient[2 * i + t], expected[i], 1e-12);
    }
  }
}

TEST(Triangle, GridHasTheAreaOfItsParallelogram) {
  const auto mesh = make_triangle_grid({5, 4}, {0, 0, 1}, {2, 0, 0}, {1, 3, 0});
  const auto rest = rest_geometry(mesh.blocks[0].elements, mesh.nodes, "cloth");
  EXPECT_NEAR(std::accumulate(rest.measure.begin(), rest.measure.end(), 0.0), 6, 1e-13);
  for (std::size_t e = 0; e < mesh.blocks[0].elements.count(); ++e) EXPECT_NEAR(rest.frames[9 * e + 8], 1, 1e-15);
}

TEST(Edge, HasItsLength) {
  const std::vector<Vector3> nodes = {{1, 1, 1}, {4, 5, 1}};
  const auto rest = rest_geometry({Shape::edge, 2, {0, 1}}, nodes, "springs");
  EXPECT_DOUBLE_EQ(rest.measure[0], 5);
  EXPECT_DOUBLE_EQ(rest.gradients[0], 0.2);
}

TEST(Stencil, HasMeasureOneAndNoGradients) {
  const std::vector<Vector3> nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {5, 5, 5}};
  for (const Elements& elements : {Elements{Shape::point, 1, {0, 4}}, Elements{Shape::hinge, 4, {0, 1, 2, 3}},
                                   Elements{Shape::stencil, 5, {0, 1, 2, 3, 4}}}) {
    const auto rest = rest_geometry(elements, nodes, "mesh");
    EXPECT_TRUE(rest.gradients.empty());
    EXPECT_EQ(rest.measure, std::vector<double>(elements.count(), 1.0));
  }
}

TEST(Edges, OfAGridAreThoseOfEulersFormula) {
  const auto mesh = make_triangle_grid({3, 2}, {0, 0, 0}, {3, 0, 0}, {0, 2, 0});
  const auto edges = edges_of(mesh.blocks[0].elements);
  EXPECT_EQ(edges.count(), mesh.nodes.size() + mesh.blocks[0].elements.count() - 1);  // V - E + F = 1 for a disc
  for (std::size_t e = 0; e < edges.count(); ++e) EXPECT_LT(edges.of(e)[0], edges.of(e)[1]);
}

TEST(Hinges, JoinTheTwoTrianglesOfEachInnerEdge) {
  const auto mesh = make_triangle_grid({3, 2}, {0, 0, 0}, {3, 0, 0}, {0, 2, 0});
  const auto hinges = hinges_of(mesh.blocks[0].elements);
  EXPECT_EQ(hinges.count(), edges_of(mesh.blocks[0].elements).count() - 10);  // the border has 2 (3 + 2) edges
  std::vector<std::array<std::int32_t, 3>> triangles;
  for (std::size_t e = 0; e < mesh.blocks[0].elements.count(); ++e) {
    std::array<std::int32_t, 3> corners{};
    std::copy_n(mesh.blocks[0].elements.of(e).begin(), 3, corners.begin());
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    triangles.push_back(corners);
  }
  for (std::size_t h = 0; h < hinges.count(); ++h) {
    const auto n = hinges.of(h);
    for (std::array<std::int32_t, 3> corners : {std::array{n[0], n[1], n[2]}, std::array{n[1], n[0], n[3]}}) {
      std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
      EXPECT_THAT(triangles, testing::Contains(corners));
    }
  }
}

TEST(Hinges, RefuseEdgesThatAreNotBetweenTwoTriangles) {
  EXPECT_THAT(([] { hinges_of({Shape::triangle, 3, {0, 1, 2, 1, 0, 3, 0, 1, 4}}); }),
              ThrowsMessage<Error>(HasSubstr("triangles 0, 1 and 2 share the edge 0 1")));
  EXPECT_THAT(([] { hinges_of({Shape::triangle, 3, {0, 1, 2, 0, 1, 3}}); }),
              ThrowsMessage<Error>(HasSubstr("opposite windings at their edge 0 1")));
  EXPECT_THAT([] { hinges_of({Shape::edge, 2, {0, 1}}); }, ThrowsMessage<Error>(HasSubstr("made of triangles")));
}

struct Wrong {
  const char* name;
  Shape shape;
  int corners;
  std::vector<std::int32_t> nodes;
  const char* message;
};

class WrongElement : public testing::TestWithParam<Wrong> {};

TEST_P(WrongElement, IsRefusedByName) {
  const std::vector<Vector3> nodes = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1},    {1, 0, 1},
                                      {1, 1, 1}, {0, 1, 1}, {2, 0, 0}, {0, 0, 0}, {NAN, 1, 1.0}};
  const Wrong& wrong = GetParam();
  EXPECT_THAT([&] { rest_geometry({wrong.shape, wrong.corners, wrong.nodes}, nodes, "part"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("part: "), HasSubstr(wrong.message))));
}

const Wrong wrong_elements[] = {
    {"inside_out_tetrahedron",
     Shape::tetrahedron,
     4,
     {0, 1, 3, 4, 0, 3, 1, 4},
     "tetrahedron 1 (nodes 0 3 1 4) is inside out"},
    {"flat_tetrahedron", Shape::tetrahedron, 4, {0, 1, 2, 3}, "tetrahedron 0 (nodes 0 1 2 3) is degenerate"},
    {"inside_out_hexahedron",
     Shape::hexahedron,
     8,
     {4, 5, 6, 7, 0, 1, 2, 3},
     "hexahedron 0 (nodes 4 5 6 7 0 1 2 3) is inside out at quadrature point 0"},
    {"twisted_hexahedron", Shape::hexahedron, 8, {0, 2, 1, 3, 4, 5, 6, 7}, "hexahedron 0"},
    {"degenerate_triangle", Shape::triangle, 3, {0, 1, 2, 0, 1, 8}, "triangle 1 (nodes 0 1 8) is degenerate"},
    {"edge_of_no_length", Shape::edge, 2, {0, 9}, "edge 0 (nodes 0 9) is degenerate"},
    {"hinge_with_a_degenerate_triangle",
     Shape::hinge,
     4,
     {0, 1, 3, 8},
     "hinge 0 (nodes 0 1 3 8) is degenerate in its triangle 2"},
    {"absent_node", Shape::edge, 2, {0, 11}, "edge 0 (nodes 0 11) names node 11, but nodes go from 0 to 10"},
    {"repeated_node", Shape::triangle, 3, {0, 1, 1}, "triangle 0 (nodes 0 1 1) names node 1 twice"},
    {"coordinate_that_is_no_number", Shape::edge, 2, {0, 10}, "has node 10 with a coordinate that is nan"},
    {"wrong_number_of_corners", Shape::triangle, 4, {0, 1, 2, 3}, "a triangle has 3 corners, not 4"},
    {"half_an_element", Shape::triangle, 3, {0, 1, 2, 3}, "4 node numbers are no whole number"},
};

INSTANTIATE_TEST_SUITE_P(Elements, WrongElement, testing::ValuesIn(wrong_elements),
                         [](const auto& chosen) { return chosen.param.name; });

TEST(Hexahedra, AreBoundedByTheirOutwardFaces) {
  const auto mesh = make_hexahedra({3, 2, 4}, {1, -1, 0}, {2, 1, 3});
  EXPECT_EQ(boundary_faces(mesh).size(), 2u * (3 * 2 + 2 * 4 + 4 * 3));
  EXPECT_NEAR(enclosed_volume(mesh), 6, 1e-13);
}

TEST(Hexahedra, AreTurnedRightWayOutAndRefusedWhereTheyOverlap) {
  auto mesh = make_hexahedra({2, 1, 1}, {0, 0, 0}, {2, 1, 1});
  const auto good = mesh.blocks;
  auto corners = mesh.blocks[0].elements.of(1);
  std::swap_ranges(corners.begin(), corners.begin() + 4, corners.begin() + 4);
  EXPECT_EQ(prepare(mesh, "bar").flipped, 1u);
  EXPECT_EQ(mesh.blocks, good);
  auto& [hexahedra, tags] = mesh.blocks[0];
  std::copy(hexahedra.nodes.begin(), hexahedra.nodes.begin() + 8, hexahedra.nodes.begin() + 8);
  try {
    prepare(mesh, "bar");
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("hexahedron 0 and hexahedron 1 overlap"));
  }
}

}  // namespace
}  // namespace proxima::mesh
