// Forces of contact by a penalty (model::Penalty), functions of gap, normal and slip that are as smooth as the
// exponent:
//   F = p (n + w),   p = stiffness max(0, -gap)^(exponent - 1),
// with w of slip_force.hpp, relaxed by the slip speed times the length of the step (m).
#pragma once

#include <array>

#include "runtime/contact/geometry.hpp"
#include "runtime/contact/matchstick.hpp"

namespace proxima::contact {

struct PenaltyLaw {
  model::Penalty penalty;
  FrictionCone cone;
  double relaxed = 0;
};

struct PenaltyForce {
  double pressed = 0, steepness = 0;  // p, N, and how it falls with the gap, N/m
  Vector3 direction{};                // n + w
};
PenaltyForce penalty_force(const PenaltyLaw& law, const Geometry& at);

// The change of F, row by row, for a move of the first side against the other, normal and weights as they are.
std::array<Vector3, 3> penalty_derivative(const PenaltyLaw& law, const Geometry& at);

// The derivatives of bar . F by gap, normal and slip, and by all of the law but its exponent.
struct PenaltyBars {
  Geometry geometry{};  // weights and directions are zero
  ConeBars cone{};
  double stiffness = 0, relaxed = 0;
};
PenaltyBars penalty_pull_back(const PenaltyLaw& law, const Geometry& at, const Vector3& bar);

}  // namespace proxima::contact
