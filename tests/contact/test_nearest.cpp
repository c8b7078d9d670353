// Nearest points of vertex and face and of two edges, against a search that knows nothing of regions.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "random_points.hpp"
#include "runtime/mesh/vectors.hpp"

namespace {

using namespace proxima;
using contact::Four;
using mesh::Vector3;
using model::ContactKind;

Vector3 mix(const Vector3& a, double s, const Vector3& b) {
  return {a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), a[2] + s * (b[2] - a[2])};
}

// The distance by the two parameters in the unit square, convex in them: golden sections in golden sections.
double least(const std::function<double(double)>& f) {
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double low = 0, high = 1, a = high - golden, b = low + golden, at_a = f(a), at_b = f(b);
  for (int step = 0; step < 60; ++step)
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - golden * (high - low);
      at_a = f(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + golden * (high - low);
      at_b = f(b);
    }
  return std::min({at_a, at_b, f(0), f(1)});
}

double searched(ContactKind kind, const Four& p) {
  return least([&](double s) {
    return least([&](double t) {
      if (kind == ContactKind::edge_edge) return mesh::norm(mesh::minus(mix(p[0], s, p[1]), mix(p[2], t, p[3])));
      return mesh::norm(mesh::minus(p[0], mix(p[1], s, mix(p[2], t, p[3]))));
    });
  });
}

class NearestPoints : public testing::TestWithParam<ContactKind> {};

TEST_P(NearestPoints, AreThoseThatASearchFinds) {
  test::RandomPoints random(1);
  for (int k = 0; k < 300; ++k) {
    const Four nodes = random.four();
    const auto found =
        GetParam() == ContactKind::vertex_face ? contact::nearest_vertex_face(nodes) : contact::nearest_edges(nodes, 0);
    EXPECT_NEAR(found.distance, searched(GetParam(), nodes), 1e-7) << k;
  }
}

TEST_P(NearestPoints, OfShapesWithoutExtentAreFinite) {
  const Vector3 a{0.1, 0.2, 0.3}, b{1, 0, 0}, c{2, 0, 0};
  for (const Four& nodes : {Four{a, a, a, a}, Four{a, b, b, b}, Four{a, b, b, c}, Four{b, b, b, c}, Four{a, b, c, b},
                            Four{a, b, mix(b, 0.3, c), c}, Four{a, a, b, c}}) {
    const auto found = contact::nearest(GetParam(), nodes);
    EXPECT_NEAR(found.distance, searched(GetParam(), nodes), 1e-7);
    EXPECT_NE(found.active & 0b0011U, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Contact, NearestPoints, testing::Values(ContactKind::vertex_face, ContactKind::edge_edge),
                         test::kind_name);

TEST(NearestEdges, ThatAreParallelAreNearestAtAnEnd) {
  const auto found = contact::nearest_edges({Vector3{0, 0, 0}, {1, 0, 0}, {0.5, 0.2, 0}, {1.5, 0.2, 0}});
  EXPECT_NEAR(found.distance, 0.2, 1e-15);
  EXPECT_EQ(std::popcount(found.active), 3);
}

}  // namespace
