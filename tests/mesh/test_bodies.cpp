// Generated bodies against their closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "compiler/support/error.hpp"
#include "runtime/mesh/bodies.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/mesh/quality.hpp"
#include "tests/mesh/samples.hpp"

namespace proxima::mesh {
namespace {

using testing::HasSubstr;

double total(const Mesh& mesh, Shape shape) {
  const auto each = measures(elements(mesh, shape), mesh.nodes);
  return std::accumulate(each.begin(), each.end(), 0.0);
}

TEST(Torus, VolumeConvergesWithSecondOrder) {
  const double exact = 2 * M_PI * M_PI * 1.0 * 0.3 * 0.3;
  const double coarse = exact - total(make_torus(1, 0.3, 2, 12), Shape::tetrahedron);
  const double fine = exact - total(make_torus(1, 0.3, 4, 24), Shape::tetrahedron);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.05);
}

TEST(Torus, IsOnePieceWithAClosedBoundary) {
  const auto mesh = make_torus(1, 0.4, 3, 10);
  EXPECT_EQ(elements(mesh, Shape::tetrahedron).count(), 3u * 6 * 9 * 10);
  std::int32_t pieces = 0;
  connected_components(mesh, pieces);
  EXPECT_EQ(pieces, 1);
  // Euler's characteristic of the boundary is 0: V - E + F with 3 F = 2 E.
  const auto boundary = boundary_triangles(mesh);
  EXPECT_EQ(boundary.count(), 2u * 18 * 10);  // V = 18 * 10 = F / 2
  EXPECT_TRUE(surface_facts(closed_surface(mesh, "torus"), mesh.nodes).closed());
}

TEST(Shells, HaveTheAreaOfTheirPolyhedra) {
  const double side = 2 * std::sin(M_PI / 16);
  EXPECT_NEAR(total(make_cylinder_shell(1, 3, 16, 5), Shape::triangle), 16 * side * 3, 1e-12);
  const double exact = 4 * M_PI;
  const double coarse = exact - total(make_sphere_shell(1, 6), Shape::triangle);
  const double fine = exact - total(make_sphere_shell(1, 12), Shape::triangle);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.05);
}

TEST(Voxels, OfABoxAreTheBox) {
  const auto surface = make_box({3, 2, 1}, {0.1, 0, -1}, {3.1, 2, 0});
  const auto voxels = make_voxels(surface, 0.25, "box");
  EXPECT_EQ(elements(voxels, Shape::hexahedron).count(), 12u * 8 * 4);
  EXPECT_NEAR(total(voxels, Shape::hexahedron), 6, 1e-12);
  EXPECT_TRUE(find_faults(voxels).empty());
}

// Every centre is decided as the formula of the sphere decides it, but for those in the gap between the sphere and the
// polyhedron. The cubes are placed so that lines through centres meet edges and corners of the surface.
TEST(Voxels, OfABallAreThoseInside) {
  const auto surface = make_sphere_shell(1, 16);
  for (const double side : {0.125, 0.0999, 2. / 17}) {
    const auto voxels = make_voxels(surface, side, "ball");
    const auto& hexahedra = elements(voxels, Shape::hexahedron);
    std::size_t expected_low = 0, expected_high = 0;
    const auto box = bounding_box(surface);
    const int cells = static_cast<int>(2 / side) + 1;
    for (int i = 0; i < cells; ++i)
      for (int j = 0; j < cells; ++j)
        for (int k = 0; k < cells; ++k) {
          const double r = std::hypot(box.lower[0] + side * (i + 0.5), box.lower[1] + side * (j + 0.5),
                                      box.lower[2] + side * (k + 0.5));
          expected_low += r < 0.995;
          expected_high += r < 1;
        }
    EXPECT_GE(hexahedra.count(), expected_low) << side;
    EXPECT_LE(hexahedra.count(), expected_high) << side;
    for (std::size_t e = 0; e < hexahedra.count(); ++e) {
      const auto& low = voxels.nodes[static_cast<std::size_t>(hexahedra.of(e)[0])];
      EXPECT_LT(std::hypot(low[0] + side / 2, low[1] + side / 2, low[2] + side / 2), 1) << side;
    }
  }
}

// Lines through the centres run exactly through edges and corners of this surface, whichever way it turns.
TEST(Voxels, DecideTiesOnce) {
  auto octahedron = make_sphere_shell(1, 1);
  octahedron.nodes = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  auto& [triangles, tags] = octahedron.blocks[0];
  triangles.nodes = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
  tags.assign(8, 0);
  for (const bool turned : {false, true}) {
    if (turned)
      for (std::size_t t = 0; t < 8; ++t) std::swap(triangles.of(t)[0], triangles.of(t)[1]);
    // 9 cells along each axis: centres at multiples of 2/9; the middle column runs from corner to corner.
    const auto voxels = make_voxels(octahedron, 2. / 9, "octahedron");
    std::size_t inside = 0;
    for (int i = -4; i <= 4; ++i)
      for (int j = -4; j <= 4; ++j)
        for (int k = -4; k <= 4; ++k) inside += 2 * (std::abs(i) + std::abs(j) + std::abs(k)) < 9;
    EXPECT_EQ(elements(voxels, Shape::hexahedron).count(), inside) << turned;
  }
}

TEST(Voxels, RefuseWhatHasNoInside) {
  const auto complaint = [](const Mesh& mesh, double side) {
    try {
      make_voxels(mesh, side, "a.obj");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no complaint");
  };
  EXPECT_THAT(complaint(make_cylinder_shell(1, 1, 8, 2), 0.1), HasSubstr("a.obj: its surface is not closed: 16 edges"));
  EXPECT_THAT(complaint(make_sphere_shell(1, 2), 100), HasSubstr("no voxel of side 100"));
  EXPECT_THAT(complaint(make_sphere_shell(1, 2), 1e-4), HasSubstr("make them larger"));
  EXPECT_THAT(complaint(make_sphere_shell(1, 2), -1), HasSubstr("above 0"));
}

TEST(GmshLibrary, FillsAClosedSurface) {
  std::string why;
  if (!gmsh_is_there(why)) GTEST_SKIP() << "Gmsh's library is an optional module and is not there: " << why;
  const auto surface = make_sphere_shell(1, 6);
  const auto mesh = make_tetrahedra(surface, 0.3, "ball");
  const auto hull = surface_facts(elements(surface, Shape::triangle), surface.nodes).volume;
  EXPECT_NEAR(total(mesh, Shape::tetrahedron), hull, 1e-9);
  EXPECT_EQ(boundary_triangles(mesh).count(), elements(surface, Shape::triangle).count());
  EXPECT_GT(mesh.nodes.size(), surface.nodes.size());
  EXPECT_TRUE(find_faults(mesh).empty());
  EXPECT_THROW(make_tetrahedra(make_cylinder_shell(1, 1, 8, 2), 0, "tube"), Error);
}

TEST(Bodies, RefuseSizesThatMakeNone) {
  EXPECT_THROW(make_torus(1, 1.5, 2, 12), Error);
  EXPECT_THROW(make_torus(1, 0.5, 0, 12), Error);
  EXPECT_THROW(make_torus(1, 0.5, 2, 2), Error);
  EXPECT_THROW(make_cylinder_shell(0, 1, 8, 2), Error);
  EXPECT_THROW(make_sphere_shell(1, 0), Error);
  const auto fault = [](auto make) {
    try {
      make();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(fault([] { make_sphere_shell(1, 3000); }),
              HasSubstr("the ball whose surface is a sphere of n = 3000 has"));
  EXPECT_THAT(fault([] { make_triangle_grid({2, 2}, {}, {1, 0, 0}, {2, 0, 0}); }),
              HasSubstr("span no area: (1, 0, 0) and (2, 0, 0)"));
  EXPECT_THAT(fault([] { make_triangle_grid({2, 2}, {}, {1, 0, 0}, {}); }), HasSubstr("span no area"));
}

}  // namespace
}  // namespace proxima::mesh
