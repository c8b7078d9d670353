// Quality against closed forms, and what find_faults() and repair() make of meshes that were broken on purpose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/support/error.hpp"
#include "runtime/mesh/bodies.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/mesh/quality.hpp"
#include "tests/mesh/samples.hpp"

namespace proxima::mesh {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

double quality(Shape shape, const std::vector<Vector3>& nodes) {
  Elements one{shape, static_cast<int>(nodes.size()), {}};
  for (std::size_t i = 0; i < nodes.size(); ++i) one.nodes.push_back(static_cast<std::int32_t>(i));
  return qualities(one, nodes).at(0);
}

TEST(Quality, IsOneForRegularShapesAndKnownForOthers) {
  const double h = std::sqrt(3) / 2;
  EXPECT_NEAR(quality(Shape::triangle, {{0, 0, 0}, {1, 0, 0}, {0.5, h, 0}}), 1, 1e-14);
  EXPECT_NEAR(quality(Shape::triangle, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), h, 1e-14);
  EXPECT_NEAR(quality(Shape::tetrahedron, {{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}}), 1, 1e-14);
  // The corner of a cube: volume 1/6, squared edges 3 * 1 + 3 * 2.
  const double corner = 12 * std::pow(0.5, 2. / 3) / 9;
  EXPECT_NEAR(quality(Shape::tetrahedron, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), corner, 1e-14);
  EXPECT_NEAR(quality(Shape::tetrahedron, {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}}), -corner, 1e-14);
  const auto box = [](double z) { return make_hexahedra({1, 1, 1}, {0, 0, 0}, {1, 1, z}); };
  for (const double z : {1.0, 0.1}) {
    const auto mesh = box(z);
    EXPECT_NEAR(qualities(elements(mesh, Shape::hexahedron), mesh.nodes).at(0), 3 * std::pow(z, 2. / 3) / (2 + z * z),
                1e-14);
  }
}

// Against the quadrature of rest_geometry, which is exact for trilinear hexahedra.
TEST(Quality, MeasureOfADistortedHexahedronIsItsIntegral) {
  auto mesh = make_hexahedra({1, 1, 1}, {0, 0, 0}, {1, 1, 1});
  for (std::size_t n = 0; n < 8; ++n)
    for (std::size_t c = 0; c < 3; ++c) mesh.nodes[n][c] += 0.15 * std::sin(5.0 * static_cast<double>(3 * n + c));
  const auto& hex = elements(mesh, Shape::hexahedron);
  double integral = 0;
  for (const double point : rest_geometry(hex, mesh.nodes, "hex").measure) integral += point;
  EXPECT_NEAR(measures(hex, mesh.nodes).at(0), integral, 1e-14);
}

TEST(SurfaceFacts, KnowAnOpenAClosedAndATwistedSurface) {
  const auto sphere = make_sphere_shell(2, 12);
  auto facts = surface_facts(elements(sphere, Shape::triangle), sphere.nodes);
  EXPECT_TRUE(facts.closed());
  EXPECT_EQ(facts.opposed_edges, 0u);
  EXPECT_NEAR(facts.volume / (4. / 3 * M_PI * 8), 1, 0.01);
  const auto tube = make_cylinder_shell(1, 2, 12, 3);
  facts = surface_facts(elements(tube, Shape::triangle), tube.nodes);
  EXPECT_EQ(facts.boundary_edges, 24u);
  EXPECT_EQ(facts.opposed_edges, 0u);
  // Three triangles at one edge, two of them turning against the third.
  Elements fan{Shape::triangle, 3, {0, 1, 2, 0, 1, 3, 1, 0, 4}};
  facts = surface_facts(fan, std::vector<Vector3>(5));
  EXPECT_EQ(facts.nonmanifold_edges, 1u);
}

TEST(FindFaults, FindsNothingInSoundMeshes) {
  EXPECT_THAT(find_faults(sample_mesh()), IsEmpty());
  EXPECT_THAT(find_faults(make_ball(3, {0, 0, 0}, 1)), IsEmpty());
  EXPECT_THAT(find_faults(make_torus(1, 0.3, 2, 9)), IsEmpty());
  EXPECT_THAT(find_faults(make_cylinder_shell(1, 2, 7, 3)), IsEmpty());
}

TEST(FindFaults, NamesEachKind) {
  auto mesh = make_box({2, 2, 2}, {0, 0, 0}, {1, 1, 1});
  auto& [tets, tags] = mesh.blocks[0];
  std::swap(tets.of(3)[0], tets.of(3)[1]);
  std::copy(tets.of(5).begin(), tets.of(5).end(), tets.of(6).begin());  // also leaves a hole, which is none
  tets.of(7)[1] = tets.of(7)[0];
  mesh.nodes.push_back({5, 5, 5});
  mesh.nodes.push_back(mesh.nodes[0]);
  tets.nodes.insert(tets.nodes.end(), {28, 1, 3, 9});
  tags.push_back(0);
  const auto faults = find_faults(mesh);
  EXPECT_THAT(faults, Contains(HasSubstr("opposite order: 3")));
  EXPECT_THAT(faults, Contains("1 tetrahedra have the nodes of an earlier one: 6"));
  EXPECT_THAT(faults, Contains("1 tetrahedra name a node twice: 7"));
  EXPECT_THAT(faults, Contains("2 nodes are used by no element: 2, 27"));
  EXPECT_THAT(faults, Contains(HasSubstr("1 nodes lie where an earlier one lies")));
  EXPECT_THAT(faults, Contains(HasSubstr("solids that overlap")));
  mesh.nodes[13][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(find_faults(mesh), Contains(HasSubstr("have a coordinate that is not finite")));
  tets.nodes[0] = 99;
  EXPECT_THAT(find_faults(mesh), Contains("1 tetrahedra name a node that does not exist: 0"));
  auto sheet = make_triangle_grid({2, 2}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  std::swap(sheet.blocks[0].elements.nodes[0], sheet.blocks[0].elements.nodes[1]);
  EXPECT_THAT(find_faults(sheet), ElementsAre(HasSubstr("edges lie between triangles of opposite winding")));
}

TEST(Repair, UndoesWhatWasBroken) {
  const auto whole = make_box({3, 2, 2}, {0, 0, 0}, {1, 1, 1});
  // Every tet with corners of its own, as a soup; a third of them turned; some twice; a flat one; an unused node.
  Mesh soup;
  auto& [tets, tags] = make_block(soup, Shape::tetrahedron);
  const auto& good = elements(whole, Shape::tetrahedron);
  const auto add = [&](std::size_t e, bool turned) {
    for (const auto node : good.of(e)) {
      tets.nodes.push_back(static_cast<std::int32_t>(soup.nodes.size()));
      soup.nodes.push_back(whole.nodes[static_cast<std::size_t>(node)]);
      soup.nodes.back()[0] += 1e-9 * static_cast<double>(e % 3);  // not quite the same place
    }
    if (turned) std::swap(tets.nodes.back(), *(tets.nodes.end() - 2));
    tags.push_back(static_cast<std::int32_t>(e));
  };
  for (std::size_t e = 0; e < good.count(); ++e) add(e, e % 3 == 0);
  for (const std::size_t e : {4u, 9u, 30u}) add(e, false);
  tets.nodes.insert(tets.nodes.end(), {0, 1, 2, 2});
  tags.push_back(0);
  soup.nodes.push_back({9, 9, 9});

  const auto counts = repair(soup, 1e-6, "soup");
  EXPECT_EQ(counts.merged_nodes, 4 * (good.count() + 3) - whole.nodes.size());
  EXPECT_EQ(counts.degenerate, 1u);
  EXPECT_EQ(counts.duplicates, 3u);
  EXPECT_EQ(counts.flipped_solids, good.count() / 3);
  EXPECT_EQ(counts.unused_nodes, 1u);
  EXPECT_EQ(soup.nodes.size(), whole.nodes.size());
  EXPECT_EQ(elements(soup, Shape::tetrahedron).count(), good.count());
  EXPECT_EQ(boundary_triangles(soup).count(), boundary_triangles(whole).count());
  EXPECT_THAT(find_faults(soup), IsEmpty());
  const auto again = repair(soup, 1e-6, "soup");
  EXPECT_EQ(again.merged_nodes + again.flipped_solids + again.degenerate + again.duplicates + again.unused_nodes, 0u);
}

TEST(Repair, TurnsClosedSurfacesOutwards) {
  auto sphere = make_sphere_shell(1, 4);
  const auto outwards = sphere.blocks;
  auto& triangles = sphere.blocks[0].elements;
  // All but every fifth inwards: the first triangle's sense is the wrong one.
  std::size_t turned = 0;
  for (std::size_t t = 0; t < triangles.count(); ++t)
    if (t % 5 != 1) std::swap(triangles.of(t)[1], triangles.of(t)[2]), ++turned;
  EXPECT_EQ(repair(sphere, 0, "sphere").flipped_triangles, turned);
  EXPECT_EQ(sphere.blocks, outwards);
}

TEST(Repair, RefusesWhatItCannotMend) {
  auto mesh = make_box({1, 1, 1}, {0, 0, 0}, {1, 1, 1});
  mesh.blocks[0].elements.nodes[1] = 8;
  EXPECT_THROW(repair(mesh, 0, "box"), Error);
  mesh = make_box({1, 1, 1}, {0, 0, 0}, {1, 1, 1});
  EXPECT_THROW(repair(mesh, 10, "box"), Error);  // all nodes become one
}

}  // namespace
}  // namespace proxima::mesh
