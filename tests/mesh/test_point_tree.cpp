// The nearest point, compared with a look at each.
#include <gtest/gtest.h>

#include <random>

#include "runtime/mesh/point_tree.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::mesh {
namespace {

std::size_t nearest_of_all(const std::vector<Vector3>& points, const Vector3& x) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (norm(minus(points[i], x)) < norm(minus(points[best], x))) best = i;
  return best;
}

// On a lattice many points are at one distance, and many have one coordinate.
TEST(PointTree, FindsTheNearestAndOfEqualsTheFirst) {
  std::mt19937 random(5);
  std::uniform_int_distribution<int> lattice(-3, 3);
  std::uniform_real_distribution<double> real(-4, 4);
  for (const std::size_t count : {1u, 2u, 3u, 50u, 1000u}) {
    std::vector<Vector3> scattered, regular;
    for (std::size_t i = 0; i < count; ++i) {
      scattered.push_back({real(random), real(random), real(random)});
      regular.push_back({0.5 * lattice(random), 0.5 * lattice(random), 0.5 * lattice(random)});
    }
    for (const auto& points : {scattered, regular}) {
      const PointTree tree(points);
      for (int k = 0; k < 300; ++k) {
        const Vector3 x = k % 2 == 0 ? Vector3{real(random), real(random), real(random)}
                                     : Vector3{0.25 * lattice(random), 0.25 * lattice(random), 0.25 * lattice(random)};
        EXPECT_EQ(tree.nearest(x), nearest_of_all(points, x)) << count << " points, query " << k;
      }
    }
  }
}

}  // namespace
}  // namespace proxima::mesh
