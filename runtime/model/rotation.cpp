#include "runtime/model/rotation.hpp"

#include <cmath>

namespace proxima::model {

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector3 rotate(const Vector3& rotation, const Vector3& v) {
  const double angle = std::hypot(rotation[0], rotation[1], rotation[2]);
  if (angle == 0) return v;
  const Vector3 axis = {rotation[0] / angle, rotation[1] / angle, rotation[2] / angle};
  const Vector3 once = cross(axis, v);
  const Vector3 twice = cross(axis, once);
  const double half = std::sin(angle / 2);  // 1 - cos(a) without the cancellation at small angles
  Vector3 result;
  for (int i = 0; i < 3; ++i) result[i] = v[i] + std::sin(angle) * once[i] + 2 * half * half * twice[i];
  return result;
}

}  // namespace proxima::model
