#include "runtime/model/pose.hpp"

#include <utility>

#include "runtime/mesh/vectors.hpp"
#include "runtime/model/rotation.hpp"
#include "runtime/model/signal.hpp"

namespace proxima::model {
namespace {

Vector3 interpolate(const Vector3& a, const Vector3& b, double weight) {
  Vector3 result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = a[i] + weight * (b[i] - a[i]);
  return result;
}

KeyPlace place_in(const std::vector<KeyFrame>& motion, double time) {
  return place_among(motion, time, [](const KeyFrame& key) { return key.time; });
}

}  // namespace

KeyFrame pose_at(const std::vector<KeyFrame>& motion, double time) {
  if (motion.empty()) return {};
  const auto [before, after, weight] = place_in(motion, time);
  if (before == after) return motion[before];
  return {time, interpolate(motion[before].translation, motion[after].translation, weight),
          interpolate(motion[before].rotation, motion[after].rotation, weight)};
}

void add_pose_pull_back(const std::vector<KeyFrame>& motion, double time, const KeyFrame& by_pose,
                        std::vector<KeyFrame>& by_key_frame) {
  if (motion.empty()) return;
  const auto [before, after, share] = place_in(motion, time);
  for (const auto& [key, weight] : {std::pair{before, 1 - share}, std::pair{after, share}})
    for (std::size_t i = 0; i < 3; ++i) {
      by_key_frame[key].translation[i] += weight * by_pose.translation[i];
      by_key_frame[key].rotation[i] += weight * by_pose.rotation[i];
    }
}

Vector3 to_space(const KeyFrame& pose, const Vector3& own) {
  Vector3 result = rotate(pose.rotation, own);
  for (std::size_t i = 0; i < 3; ++i) result[i] += pose.translation[i];
  return result;
}

Vector3 to_own(const KeyFrame& pose, const Vector3& in_space) {
  return rotate(mesh::scaled(-1, pose.rotation), mesh::minus(in_space, pose.translation));
}

}  // namespace proxima::model
