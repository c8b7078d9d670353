// The friction cone between two surfaces with directions of their own (the matchstick model, Macklin 2020, section 3.2,
// with the second direction turned round where the two point apart, and the axes used in space).
#pragma once

#include "runtime/contact/friction_cone.hpp"

namespace proxima::contact {

// With parallel directions the coefficients are those along and across them, where they cross at right angles the same
// in all directions, between these in proportion to the angle. All are above 0.
struct Coefficients {
  double along = 0, across = 0, crossed = 0;
};

// Directions are of any length and have no sign. Where one of them has no part in the plane of contact, friction is
// that of directions that cross.
FrictionCone matchstick(const Vector3& normal, const Vector3& first, const Vector3& second, const Coefficients& law);

// From the derivatives by the cone's friction, along and across adds those by directions and normal, and returns those
// by the coefficients. Where directions are parallel or at right angles the angle has a kink; its derivative counts as
// 0 in the first case.
struct ConeBars {
  double friction = 0, across = 0;
  Vector3 along{};
};
Coefficients matchstick_pull_back(const Vector3& normal, const Vector3& first, const Vector3& second,
                                  const Coefficients& law, const ConeBars& bars, Vector3& by_normal, Vector3& by_first,
                                  Vector3& by_second);

}  // namespace proxima::contact
