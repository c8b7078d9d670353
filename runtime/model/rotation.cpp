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

// d rotate(w, v) = -R [v] J dw with the right Jacobian J = 1 - (1 - cos a)/a^2 [w] + (a - sin a)/a^3 [w]^2, [u] the
// matrix of u x (Sola, Deray and Atchuthan, "A micro Lie theory", 2018, equations 143 and 152).
Vector3 rotation_pull_back(const Vector3& rotation, const Vector3& v, const Vector3& bar) {
  const double angle = mesh::norm(rotation);
  const Vector3 turned = mesh::cross(v, rotate(mesh::scaled(-1, rotation), bar));
  double once = 0.5, twice = 1.0 / 6;  // the limits at no angle
  if (angle > 1e-4) {
    const double half = std::sin(angle / 2);
    once = 2 * half * half / (angle * angle);
    twice = (angle - std::sin(angle)) / (angle * angle * angle);
  }
  const Vector3 first = mesh::cross(rotation, turned), second = mesh::cross(rotation, first);
  Vector3 result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = turned[i] + once * first[i] + twice * second[i];
  return result;
}

}  // namespace proxima::model
