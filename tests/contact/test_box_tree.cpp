#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_points.hpp"
#include "runtime/contact/box_tree.hpp"

namespace {

using namespace proxima;
using contact::Bounds;

TEST(BoxTree, VisitsWhatMeetsABoxAlsoAfterItMoved) {
  test::RandomPoints random(3);
  for (const std::size_t count : {0, 1, 4, 5, 37, 500}) {
    std::vector<mesh::Vector3> centres(count);
    for (auto& centre : centres) centre = random.point();
    contact::BoxTree tree(centres);
    for (int motion = 0; motion < 3; ++motion) {
      std::vector<Bounds> boxes(count);
      for (auto& box : boxes) {
        const auto at = random.point();
        box = {at, at};
        box.grow(random.number(0, 0.2));
      }
      tree.fit(boxes);
      for (int k = 0; k < 50; ++k) {
        const auto at = random.point();
        Bounds wanted{at, at};
        wanted.grow(0.1);
        std::vector<std::size_t> expected, visited;
        for (std::size_t b = 0; b < count; ++b)
          if (boxes[b].meets(wanted)) expected.push_back(b);
        tree.visit_all(wanted, [&](std::size_t b) { visited.push_back(b); });
        EXPECT_THAT(visited, testing::UnorderedElementsAreArray(expected));
      }
    }
  }
}

}  // namespace
