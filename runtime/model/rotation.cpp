#include "runtime/model/rotation.hpp"

#include <cmath>

#include "runtime/mesh/vectors.hpp"

namespace proxima::model {

Vector3 rotate(const Vector3& rotation, const Vector3& v) {
  const double angle = mesh::norm(rotation);
  if (angle == 0) return v;
  const Vector3 axis = {rotation[0] / angle, rotation[1] / angle, rotation[2] / angle};
  const Vector3 once = mesh::cross(axis, v);
  const Vector3 twice = mesh::cross(axis, once);
  const double half = std::sin(angle / 2);  // 1 - cos(a) without the cancellation at small angles
  Vector3 result;
  for (int i = 0; i < 3; ++i) result[i] = v[i] + std::sin(angle) * once[i] + 2 * half * half * twice[i];
  return result;
}

}  // namespace proxima::model
