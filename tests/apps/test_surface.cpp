// The outside of models with elements of several shapes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "apps/proxima/surface.hpp"
#include "runtime/mesh/element_meshes.hpp"

namespace proxima {
namespace {

using testing::ElementsAre;

void add_region(model::Model& model, mesh::Shape shape) {
  auto& region = model.regions.emplace_back();
  model::set_elements(region, model.mesh, shape);
}

TEST(Surface, OfHexahedraIsTwoTrianglesAFace) {
  model::Model model;
  model.mesh = mesh::make_hexahedra({3, 3, 3}, {0, 0, 0}, {3, 3, 3});
  add_region(model, mesh::Shape::hexahedron);
  const auto surface = app::surface_of(model);
  EXPECT_EQ(surface.triangles.size(), 2u * 6 * 9);
  EXPECT_EQ(surface.nodes.size(), 64u - 8);
  EXPECT_EQ(std::set(surface.elements.begin(), surface.elements.end()).size(), 26u);  // all but the one in the middle
  double enclosed = 0;
  for (const auto& corners : surface.triangles) {
    const auto at = [&](int k) { return model.mesh.nodes[static_cast<std::size_t>(surface.nodes[corners[k]])]; };
    const auto a = at(0), b = at(1), c = at(2);
    enclosed +=
        (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])) /
        6;
  }
  EXPECT_NEAR(enclosed, 27, 1e-12);
}

// A tet, a triangle beside it and a spring that the mesh does not list. Node 4 belongs to nothing.
TEST(Surface, TakesTrianglesAndEdgesAsTheyAre) {
  model::Model model;
  model.mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {9, 9, 9}, {2, 0, 0}, {2, 1, 0}};
  const auto add = [&](mesh::Shape shape, std::vector<std::int32_t> nodes) {
    auto& block = mesh::make_block(model.mesh, shape);
    block.elements = {shape, mesh::shape_row(shape).corners, std::move(nodes)};
    block.tags = {0};
    add_region(model, shape);
  };
  add(mesh::Shape::tetrahedron, {0, 1, 2, 3});
  add(mesh::Shape::triangle, {1, 5, 6});
  model.regions.emplace_back().elements = {mesh::Shape::edge, 2, {3, 6}};
  auto overlay = model.regions[1];
  overlay.overlay = true;  // a second energy on the triangle
  model.regions.push_back(overlay);

  const auto surface = app::surface_of(model);
  EXPECT_THAT(surface.nodes, ElementsAre(0, 1, 2, 3, 5, 6));
  EXPECT_EQ(surface.triangles.size(), 5u);
  EXPECT_THAT(surface.lines, ElementsAre(std::array<std::uint32_t, 2>{3, 5}));
  // Triangles come first in the mesh: element 0 is the triangle, 1 the tet.
  EXPECT_THAT(surface.elements, ElementsAre(1, 1, 1, 1, 0, -1));
  EXPECT_EQ(mesh::element_count(model.mesh), 2u);
  EXPECT_THAT(surface.at_nodes(std::vector<double>{0, 1, 2, 3, 4, 5, 6}, 1), ElementsAre(0, 1, 2, 3, 5, 6));
}

}  // namespace
}  // namespace proxima
