// Rotations by a vector: its direction is the axis, its length the angle in rad.
#pragma once

#include "runtime/mesh/elements.hpp"

namespace proxima::model {

using mesh::Vector3;

// Rodrigues' formula: v + sin(a) k x v + (1 - cos(a)) k x (k x v) for the rotation vector a k.
Vector3 rotate(const Vector3& rotation, const Vector3& v);

// The derivative of bar . rotate(rotation, v) by the rotation vector; that by v is rotate(-rotation, bar).
Vector3 rotation_pull_back(const Vector3& rotation, const Vector3& v, const Vector3& bar);

}  // namespace proxima::model
