// What prepare() mends, what it refuses, and the measures beside it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/support/error.hpp"
#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Mesh two_tets() {
  Mesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  auto& [tets, tags] = make_block(mesh, Shape::tetrahedron);
  tets.nodes = {0, 1, 2, 3, 1, 2, 3, 4};
  tags = {7, 8};
  return mesh;
}

std::string complaint(Mesh mesh) {
  try {
    prepare(mesh, "body.msh");
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(Prepare, ReversesOppositeWindingAndCountsIt) {
  auto mesh = two_tets();
  auto& nodes = mesh.blocks[0].elements.nodes;
  std::swap(nodes[4], nodes[5]);
  ASSERT_LT(tet_volume(mesh, 1), 0);
  const auto repairs = prepare(mesh, "body");
  EXPECT_EQ(repairs.flipped, 1u);
  EXPECT_TRUE(std::equal(nodes.begin(), nodes.begin() + 4, two_tets().blocks[0].elements.nodes.begin()));
  EXPECT_NEAR(tet_volume(mesh, 0), 1. / 6, 1e-15);
  EXPECT_NEAR(tet_volume(mesh, 1), 1. / 3, 1e-15);
  EXPECT_EQ(boundary_triangles(mesh).count(), 6u);
}

TEST(Prepare, RemovesUnusedNodesAndMapsTheOthers) {
  auto mesh = two_tets();
  mesh.nodes.insert(mesh.nodes.begin() + 2, {NAN, 5, 5});  // that no tet uses it makes its NaN harmless
  mesh.blocks[0].elements.nodes = {0, 1, 3, 4, 1, 3, 4, 5};
  mesh.nodes.push_back({9, 9, 9});
  const auto repairs = prepare(mesh, "body");
  EXPECT_EQ(repairs.unused_removed, 2u);
  EXPECT_THAT(repairs.node_map, ElementsAre(0, 1, -1, 2, 3, 4, -1));
  EXPECT_EQ(mesh.nodes, two_tets().nodes);
  EXPECT_EQ(mesh.blocks, two_tets().blocks);
}

TEST(Prepare, NamesADegenerateTet) {
  auto mesh = two_tets();
  mesh.nodes[4] = {0.3, 0.3, 0.4};  // in the plane of 1, 2, 3
  EXPECT_THAT(complaint(mesh),
              AllOf(HasSubstr("body.msh"), HasSubstr("tetrahedron 1 (nodes 1 2 3 4)"), HasSubstr("degenerate")));
}

TEST(Prepare, JudgesDegeneracyByTheElementsOwnSize) {
  for (const double scale : {1e-60, 1e-6, 1e60}) {
    auto mesh = two_tets();
    for (auto& x : mesh.nodes) {
      for (auto& c : x) c *= scale;
    }
    EXPECT_EQ(complaint(mesh), "no complaint") << scale;
    mesh.nodes[4] = mesh.nodes[3];
    EXPECT_THAT(complaint(mesh), HasSubstr("degenerate")) << scale;
  }
  auto huge = two_tets();
  for (auto& x : huge.nodes) {
    for (auto& c : x) c *= 1e150;  // the volume overflows
  }
  EXPECT_THAT(complaint(huge), HasSubstr("degenerate"));
}

TEST(Prepare, RefusesRepeatedAndAbsentNodes) {
  auto mesh = two_tets();
  const auto set_second = [&](const std::array<std::int32_t, 4>& nodes) {
    std::copy(nodes.begin(), nodes.end(), mesh.blocks[0].elements.of(1).begin());
  };
  set_second({1, 2, 2, 4});
  EXPECT_THAT(complaint(mesh), HasSubstr("tetrahedron 1 (nodes 1 2 2 4) names node 2 twice"));
  set_second({1, 2, 5, 4});
  EXPECT_THAT(complaint(mesh), HasSubstr("tetrahedron 1 (nodes 1 2 5 4) names node 5, but nodes go from 0 to 4"));
  set_second({1, 2, -1, 4});
  EXPECT_THAT(complaint(mesh), HasSubstr("node -1"));
}

TEST(Prepare, RefusesCoordinatesThatAreNotFinite) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    auto mesh = two_tets();
    mesh.nodes[4][1] = bad;
    EXPECT_THAT(complaint(mesh), AllOf(HasSubstr("tetrahedron 1"), HasSubstr("has node 4 with a coordinate that is")));
  }
}

TEST(Prepare, RefusesOverlap) {
  auto mesh = two_tets();
  auto& [tets, tags] = mesh.blocks[0];
  tets.nodes.insert(tets.nodes.end(), {2, 1, 0, 3});  // the first again, in another order and winding
  tags.push_back(1);
  EXPECT_THAT(complaint(mesh), HasSubstr("tetrahedron 0 and tetrahedron 2 overlap"));
  mesh = two_tets();
  mesh.nodes[4] = {-0.1, -0.1, -0.1};  // folds the second tet over the first
  EXPECT_THAT(complaint(mesh), HasSubstr("tetrahedron 0 and tetrahedron 1 overlap"));
}

TEST(Prepare, RefusesAMeshWithoutElements) {
  Mesh mesh;
  EXPECT_THAT(complaint(mesh), HasSubstr("no elements"));
  mesh = two_tets();
  mesh.blocks[0].tags.pop_back();
  EXPECT_THAT(complaint(mesh), HasSubstr("1 tags for 2 tets"));
}

TEST(ConnectedComponents, CountsPiecesThatShareNoNode) {
  auto mesh = two_tets();
  const auto first = mesh;
  for (auto x : first.nodes) mesh.nodes.push_back({x[0] + 5, x[1], x[2]});
  // The second piece takes the even numbers between, so that pieces are not runs of nodes.
  mesh.blocks[0].elements.nodes = {0, 2, 4, 6, 1, 3, 5, 7, 3, 5, 7, 9, 2, 4, 6, 8};
  std::int32_t count = 0;
  EXPECT_THAT(connected_components(mesh, count), ElementsAre(0, 1, 0, 1, 0, 1, 0, 1, 0, 1));
  EXPECT_EQ(count, 2);
  connected_components(make_box({2, 3, 1}, {0, 0, 0}, {1, 1, 1}), count);
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace proxima::mesh
