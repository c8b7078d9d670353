// A rigid motion in time, as key frames.
#pragma once

#include "runtime/mesh/elements.hpp"

namespace proxima::model {

using mesh::Vector3;

// Translation and rotation vector are interpolated linearly between key frames and held constant outside them.
struct KeyFrame {
  double time = 0;        // s
  Vector3 translation{};  // m
  Vector3 rotation{};     // axis times angle, rad
};

}  // namespace proxima::model
