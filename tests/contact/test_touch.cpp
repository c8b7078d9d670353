// Continuous detection: exact cases, and random ones against many small steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "random_points.hpp"
#include "runtime/contact/touch.hpp"
#include "runtime/mesh/vectors.hpp"

namespace {

using namespace proxima;
using contact::Four;
using contact::touches;
using model::ContactKind;

double distance(ContactKind kind, const Four& nodes) {
  return (kind == ContactKind::vertex_face ? contact::nearest_vertex_face(nodes) : contact::nearest_edges(nodes, 0))
      .distance;
}

Four between(const Four& start, const Four& end, double t) {
  Four nodes;
  for (std::size_t n = 0; n < 4; ++n)
    for (std::size_t i = 0; i < 3; ++i) nodes[n][i] = start[n][i] + t * (end[n][i] - start[n][i]);
  return nodes;
}

const Four triangle_below{{{0.2, 0.2, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};

Four moved(Four nodes, std::size_t node, const mesh::Vector3& by) {
  for (std::size_t i = 0; i < 3; ++i) nodes[node][i] += by[i];
  return nodes;
}

TEST(Touch, OfAVertexThroughTheMiddle) {
  const auto found = touches(ContactKind::vertex_face, triangle_below, moved(triangle_below, 0, {0, 0, -4}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].time, 0.25, 1e-14);
  EXPECT_EQ(found[0].side, 1);
}

TEST(Touch, FromBelowTellsTheOtherSide) {
  const auto below = moved(triangle_below, 0, {0, 0, -2});
  const auto found = touches(ContactKind::vertex_face, below, moved(below, 0, {0, 0, 4}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].side, -1);
}

TEST(Touch, PastTheFaceIsNone) {
  const Four beside = moved(triangle_below, 0, {0.7, 0.2, 0});
  EXPECT_TRUE(touches(ContactKind::vertex_face, beside, moved(beside, 0, {0, 0, -4})).empty());
  EXPECT_TRUE(touches(ContactKind::vertex_face, triangle_below, moved(triangle_below, 0, {0, 0, -0.99})).empty());
}

TEST(Touch, OnAnEdgeOrACornerCounts) {
  for (const mesh::Vector3 over : {mesh::Vector3{0.5, 0, 1}, {0, 0, 1}, {0.5, 0.5, 1}}) {
    Four start = triangle_below;
    start[0] = over;
    EXPECT_EQ(touches(ContactKind::vertex_face, start, moved(start, 0, {0, 0, -2})).size(), 1U);
  }
}

TEST(Touch, OfAFastTipAndATurningFace) {
  Four start = triangle_below, end = moved(triangle_below, 0, {0, 0, -1e4});
  for (std::size_t k = 1; k < 4; ++k) end[k][2] += 0.3 * static_cast<double>(k);
  EXPECT_EQ(touches(ContactKind::vertex_face, start, end).size(), 1U);
}

TEST(Touch, InOnePlaneIsFound) {
  Four start = triangle_below;
  start[0] = {2, 0.2, 0};
  const auto found = touches(ContactKind::vertex_face, start, moved(start, 0, {-2, 0, 0}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].time, 0.6, 1e-8);
  EXPECT_EQ(found[0].side, 0);
  EXPECT_TRUE(touches(ContactKind::vertex_face, start, moved(start, 0, {-1, 0, 0})).empty());
}

TEST(Touch, OfEdges) {
  const Four crossing{{{-1, 0, 1}, {1, 0, 1}, {0, -1, 0}, {0, 1, 0}}};
  Four end = crossing;
  end[0][2] = end[1][2] = -1;
  const auto found = touches(ContactKind::edge_edge, crossing, end);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].time, 0.5, 1e-14);
  EXPECT_EQ(found[0].side, 1);  // (2, 0, 0) x (0, 2, 0) is along z, as is what leads from the second edge to the first
  end[2][0] = end[3][0] = 3;    // moves out of the way
  EXPECT_TRUE(touches(ContactKind::edge_edge, crossing, end).empty());
}

TEST(Touch, OfParallelEdgesIsFound) {
  const Four side_by_side{{{-1, 0, 1}, {1, 0, 1}, {-0.5, 0, 0}, {1.5, 0, 0}}};
  Four end = side_by_side;
  end[0][2] = end[1][2] = -1;
  ASSERT_EQ(touches(ContactKind::edge_edge, side_by_side, end).size(), 1U);
}

class RandomTouch : public testing::TestWithParam<ContactKind> {};

// Where many small steps see nothing come near, nothing is found; what is found does touch.
TEST_P(RandomTouch, IsWhatSmallStepsSee) {
  test::RandomPoints random(7);
  int met = 0, free = 0;
  for (int k = 0; k < 4000; ++k) {
    const Four start = random.four(), end = random.four();
    double closest = 1e300;
    constexpr int steps = 2000;
    for (int s = 0; s <= steps; ++s)
      closest = std::min(closest, distance(GetParam(), between(start, end, static_cast<double>(s) / steps)));
    const auto found = touches(GetParam(), start, end);
    met += found.empty() ? 0 : 1;
    for (const auto& touch : found) EXPECT_LT(distance(GetParam(), between(start, end, touch.time)), 1e-8) << k;
    if (closest < 4e-3) continue;  // no point goes further than 2 sqrt(3) / 2000 between two steps
    ++free;
    EXPECT_TRUE(found.empty()) << k;
  }
  EXPECT_GT(met, 100);
  EXPECT_GT(free, 1000);
}

// A vertex is sent through a point of the face that is known.
TEST_P(RandomTouch, OfAKnownPointIsNeverLost) {
  test::RandomPoints random(11);
  for (int k = 0; k < 20000; ++k) {
    const double t = random.number(0.01, 0.99), s = random.number(0, 1), r = random.number(0, 1);
    Four start = random.four(), end = random.four();
    const Four at = between(start, end, t);
    for (std::size_t i = 0; i < 3; ++i) {
      const double share = 0.1 + 0.8 * r;                           // of the second node in the point on the first edge
      const double wanted = GetParam() == ContactKind::vertex_face  // of the first node at time t
                                ? (1 - s) * at[1][i] + s * ((1 - r) * at[2][i] + r * at[3][i])
                                : ((1 - s) * at[2][i] + s * at[3][i] - share * at[1][i]) / (1 - share);
      end[0][i] = start[0][i] + (wanted - start[0][i]) / t;
    }
    const auto found = touches(GetParam(), start, end);
    const bool known = std::ranges::any_of(found, [&](const auto& touch) { return std::abs(touch.time - t) < 1e-4; });
    EXPECT_TRUE(known) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Contact, RandomTouch, testing::Values(ContactKind::vertex_face, ContactKind::edge_edge),
                         test::kind_name);

}  // namespace
