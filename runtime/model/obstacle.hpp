// What bodies touch and nothing moves but its own key frames: a signed distance in axes of its own, negative inside.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "compiler/ir/function.hpp"
#include "runtime/mesh/mesh.hpp"
#include "runtime/model/key_frame.hpp"

namespace proxima::model {

// A function of one input of three numbers, the point, and one output of one number, m. It need be the distance on the
// zero set only, but must grow away from it; its gradient must not vanish there.
struct AnalyticDistance {
  std::shared_ptr<const ir::Function> function;
  std::vector<std::vector<double>> parameters;  // [parameter][component]
};

// The ground z = h(x, y), solid below: heights at the points of a grid, x fastest, and a smooth surface through them.
struct HeightField {
  std::array<int, 2> points{};
  std::array<double, 2> lower{}, spacing{};  // m
  std::vector<double> heights;               // m
};

// Samples of a signed distance at the points of a grid, x fastest, and a smooth function through them.
struct DistanceGrid {
  std::array<int, 3> points{};
  Vector3 lower{}, spacing{};    // m
  std::vector<double> distance;  // m
};

// A closed surface of triangles, corners anticlockwise from outside.
struct ClosedSurface {
  std::vector<Vector3> nodes;
  std::vector<std::array<std::int32_t, 3>> triangles;
};

struct Obstacle {
  std::string name;
  std::variant<AnalyticDistance, HeightField, DistanceGrid, ClosedSurface> shape;
  std::vector<KeyFrame> motion;  // at least one: a point X of its own axes is at translation + R(rotation) X
  // In its own axes, of any length: friction along the part of it that lies in the surface is another one than across
  // it. Zero: the same in all directions, as it is where the surface is at right angles to it.
  Vector3 friction_direction{};
};

// Derivatives of a number by all that an obstacle has; its sizes are those of the obstacle.
struct ObstacleGradient {
  std::vector<std::vector<double>> parameters;  // of an AnalyticDistance; none of other shapes
  std::vector<KeyFrame> motion;                 // times are left out
};
ObstacleGradient zero_gradient(const Obstacle& obstacle);

}  // namespace proxima::model
