// Where a rigid motion by key frames is at a time.
#pragma once

#include <vector>

#include "runtime/model/key_frame.hpp"

namespace proxima::model {

// Of no key frames: at rest, neither moved nor turned.
KeyFrame pose_at(const std::vector<KeyFrame>& motion, double time);

// Adds the derivatives by translation and rotation of the key frames, from those by the pose at that time.
void add_pose_pull_back(const std::vector<KeyFrame>& motion, double time, const KeyFrame& by_pose,
                        std::vector<KeyFrame>& by_key_frame);

// Between the axes that move and those of space: x = translation + R(rotation) X.
Vector3 to_space(const KeyFrame& pose, const Vector3& own);
Vector3 to_own(const KeyFrame& pose, const Vector3& in_space);

}  // namespace proxima::model
