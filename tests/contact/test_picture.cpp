// Pictures of obstacles: closed, facing outwards, on the surface.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "runtime/contact/picture.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/obstacle_shapes.hpp"

namespace proxima::contact {
namespace {

TEST(Pictures, OfABallAreThatBall) {
  model::Model model;
  model.mesh = mesh::make_box({1, 1, 1}, {-1, -1, -1}, {1, 1, 1});
  const model::Obstacle ball{
      "ball", model::AnalyticDistance{model::obstacle_shape("sphere"), {{0.8}}}, {{0, {0.1, 0.2, 0.3}, {0.3, 0, 0}}}};
  jit::Engine engine;
  const auto found = picture(model, ball, engine, 60);
  const auto& triangles = mesh::elements(found, mesh::Shape::triangle);
  double volume = 0;
  for (const auto& x : found.nodes) EXPECT_NEAR(mesh::norm(x), 0.8, 0.01);
  for (std::size_t t = 0; t < triangles.count(); ++t) {
    const auto at = [&](std::size_t c) { return found.nodes[static_cast<std::size_t>(triangles.of(t)[c])]; };
    volume += mesh::triple_product(at(0), at(1), at(2)) / 6;
  }
  EXPECT_NEAR(volume, 4.0 / 3 * std::numbers::pi * 0.512, 0.05);
}

TEST(Pictures, OfWhatIsFarAwayAreEmpty) {
  model::Model model;
  model.mesh = mesh::make_box({1, 1, 1}, {-1, -1, -1}, {1, 1, 1});
  const model::Obstacle ball{
      "ball", model::AnalyticDistance{model::obstacle_shape("sphere"), {{0.8}}}, {{0, {100, 0, 0}, {}}}};
  jit::Engine engine;
  EXPECT_TRUE(picture(model, ball, engine, 10).nodes.empty());
}

}  // namespace
}  // namespace proxima::contact
