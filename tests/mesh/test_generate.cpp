// The generated bodies: sizes, volumes, outward boundaries, element quality.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <set>

#include "compiler/support/error.hpp"
#include "runtime/mesh/bodies.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/mesh/mesh.hpp"
#include "tests/mesh/samples.hpp"

namespace proxima::mesh {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const Elements& tets_of(const Mesh& mesh) { return elements(mesh, Shape::tetrahedron); }

double total_volume(const Mesh& mesh) {
  double sum = 0;
  for (std::size_t t = 0; t < tets_of(mesh).count(); ++t) sum += tet_volume(mesh, t);
  return sum;
}

// Volume over the rms edge cubed, scaled to 1 for a regular tet (Parthasarathy et al., Finite Elements in Analysis and
// Design 15, 1994).
double quality(const Mesh& mesh, std::size_t t) {
  double squares = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) {
      for (int c = 0; c < 3; ++c) {
        squares += std::pow(mesh.nodes[tets_of(mesh).of(t)[i]][c] - mesh.nodes[tets_of(mesh).of(t)[j]][c], 2);
      }
    }
  }
  return 6 * std::sqrt(2.0) * tet_volume(mesh, t) / std::pow(squares / 6, 1.5);
}

TEST(MakeBox, FillsTheBox) {
  auto mesh = make_box({3, 4, 5}, {-1, 0.5, 2}, {2, 1, 4});
  EXPECT_EQ(mesh.nodes.size(), 4u * 5 * 6);
  EXPECT_EQ(tets_of(mesh).count(), 6u * 3 * 4 * 5);
  EXPECT_NEAR(total_volume(mesh), 3 * 0.5 * 2, 1e-12);
  EXPECT_NEAR(enclosed_volume(mesh), 3 * 0.5 * 2, 1e-12);
  EXPECT_EQ(boundary_triangles(mesh).count(), 2u * 2 * (3 * 4 + 4 * 5 + 5 * 3));
  const auto box = bounding_box(mesh);
  EXPECT_EQ(box.lower, (Vector3{-1, 0.5, 2}));
  EXPECT_EQ(box.upper, (Vector3{2, 1, 4}));
  EXPECT_EQ(mesh.nodes[1 + 4 * (2 + 5 * 3)], (Vector3{0, 0.75, 3.2}));
  const auto repairs = prepare(mesh, "box");
  EXPECT_EQ(repairs.flipped, 0u);
  EXPECT_EQ(repairs.unused_removed, 0u);
}

TEST(MakeBox, RefusesWhatIsNoBox) {
  EXPECT_THROW(make_box({0, 1, 1}, {0, 0, 0}, {1, 1, 1}), Error);
  EXPECT_THROW(make_box({1, 1, 1}, {0, 0, 0}, {1, 0, 1}), Error);
  EXPECT_THROW(make_box({1, 1, 1}, {0, 0, 0}, {1, NAN, 1}), Error);
}

// Each in no time: nothing is allocated for them.
TEST(Generated, AreRefusedBeforeTheyFillTheMemory) {
  const auto says = [](const char* text) { return ThrowsMessage<Error>(HasSubstr(text)); };
  const Vector3 o{0, 0, 0}, x{1, 0, 0}, y{0, 1, 0}, one{1, 1, 1};
  EXPECT_THAT([&] { make_box({2000, 2000, 2000}, o, one); },
              says("a box mesh of 2000 x 2000 x 2000 cells has 4.8e+10 elements; at most 2e+07 are generated"));
  EXPECT_THAT([&] { make_hexahedra({INT32_MAX, INT32_MAX, INT32_MAX}, o, one); }, says("are generated"));
  EXPECT_THAT([&] { make_ball(INT32_MAX, o, 1); }, says("a ball mesh of 2147483647 layers"));
  EXPECT_THAT([&] { make_triangle_grid({INT32_MAX, 1}, o, x, y); }, says("a grid of 2147483647 x 1 cells"));
  EXPECT_THAT([&] { make_torus(1, 0.5, 100000, 100000); }, says("a torus of 100000 layers and 100000 segments"));
  EXPECT_THAT([&] { make_cylinder_shell(1, 1, 100000, 100000); }, says("a cylinder of 100000 x 100000 cells"));
}

TEST(MakeBall, IsRoundAndWellShaped) {
  for (const int layers : {1, 2, 7, 12}) {
    auto mesh = make_ball(layers, {1, 2, 3}, 0.5);
    SCOPED_TRACE(layers);
    EXPECT_EQ(tets_of(mesh).count(), 20u * layers * layers * layers);
    const auto triangles = boundary_triangles(mesh);
    EXPECT_EQ(triangles.count(), 20u * layers * layers);
    const std::set<std::int32_t> outer(triangles.nodes.begin(), triangles.nodes.end());
    EXPECT_EQ(outer.size(), 10u * layers * layers + 2);  // Euler: a sphere
    for (const auto node : outer) {
      const auto& x = mesh.nodes[node];
      EXPECT_NEAR(std::hypot(x[0] - 1, x[1] - 2, x[2] - 3), 0.5, 1e-14);
    }
    double worst = 1;
    for (std::size_t t = 0; t < tets_of(mesh).count(); ++t) worst = std::min(worst, quality(mesh, t));
    std::printf("ball of %d layers: %zu nodes, %zu tets, worst quality %.3f\n", layers, mesh.nodes.size(),
                tets_of(mesh).count(), worst);
    RecordProperty("worst_quality_" + std::to_string(layers), std::to_string(worst));
    EXPECT_GT(worst, 0.4);
    EXPECT_NEAR(enclosed_volume(mesh), total_volume(mesh), 1e-12);
    const auto repairs = prepare(mesh, "ball");
    EXPECT_EQ(repairs.flipped, 0u);
    EXPECT_EQ(repairs.unused_removed, 0u);
  }
}

TEST(MakeBall, ApproachesTheBallsVolumeAtSecondOrder) {
  const double exact = 4 * std::numbers::pi / 3;
  const double coarse = exact - total_volume(make_ball(5, {0, 0, 0}, 1));
  const double fine = exact - total_volume(make_ball(10, {0, 0, 0}, 1));
  EXPECT_GT(fine, 0);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

TEST(MakeBall, RefusesWhatIsNoBall) {
  EXPECT_THROW(make_ball(0, {0, 0, 0}, 1), Error);
  EXPECT_THROW(make_ball(401, {0, 0, 0}, 1), Error);
  EXPECT_THROW(make_ball(3, {0, 0, 0}, 0), Error);
  EXPECT_THROW(make_ball(3, {0, 0, 0}, NAN), Error);
}

}  // namespace
}  // namespace proxima::mesh
