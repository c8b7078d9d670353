// Obstacles and contact as a scene has them: shapes by their sizes or files, bodies and obstacles by their names.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "runtime/model/contact.hpp"
#include "runtime/model/expression.hpp"
#include "runtime/model/function_source.hpp"
#include "runtime/model/key_frame.hpp"

namespace proxima::model {

struct ShapeSource {
  std::string shape;               // a name of obstacle_shapes()
  std::vector<double> parameters;  // in the order of its function's
};
struct HeightFieldSource {
  std::variant<std::filesystem::path, Expression> heights;
  std::array<int, 2> points{};
  double length = 0, width = 0;  // along x and y, about the origin
};
struct DistanceGridSource {
  std::filesystem::path file;
  std::array<int, 3> points{};
  Vector3 lower{}, upper{};
};
struct SurfaceSource {
  std::filesystem::path file;
  double scale = 1;
};

struct ObstacleSource {
  std::string name;
  std::variant<ShapeSource, HeightFieldSource, DistanceGridSource, SurfaceSource, FunctionSource> shape;
  bool inside = false;           // what is within the shape is free
  std::vector<KeyFrame> motion;  // at least one
  std::optional<double> friction, restitution, friction_across;
  Vector3 friction_direction{};
};

struct PairSource {
  std::array<std::string, 2> between;
  std::optional<double> friction, restitution, thickness, friction_across, friction_crossed;
  Vector3 friction_direction{}, other_direction{};  // of the first and the second of them
  bool touch = true;
};

struct ContactSource {
  double friction = 0, restitution = 0, thickness = 0;
  bool bodies = false, self = false;  // all bodies with each other, and each with itself
  std::vector<PairSource> pairs;
  std::optional<Penalty> penalty{};
};

}  // namespace proxima::model
