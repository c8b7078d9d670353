// Friction of a contact that slips, as a function of its slip. The forces of a sliding contact are p (n + w), p > 0; of
// all w that the cone allows, w takes the most energy from the slip s:
//   w = -B s / sqrt(s . B s),   B = mu_across^2 (1 - n n^T) + (mu^2 - mu_across^2) a a^T,
// a the direction along which the coefficient is mu. In a round cone that is -mu s_t / |s_t|. Relaxed by a length e the
// root is that of s . B s + mu mu_across e^2, so that w is smooth, 0 at rest, and nearly as long as before where the
// slip is longer than e (the pseudo-Huber norm of Macklin 2020, section 5.5).
#pragma once

#include "runtime/contact/matchstick.hpp"

namespace proxima::contact {

// At a slip (m) whose tangential part is not zero; with friction 0 the edge is, and the tangent not. dw is
// -stiffness (tangent . ds) tangent, `tangent` a unit vector, `stiffness` in 1/m.
struct SlipForce {
  Vector3 edge{}, tangent{};
  double stiffness = 0;
};
SlipForce slip_force(const FrictionCone& cone, const Vector3& slip);

// w; at any slip where relaxed (m) is above 0.
Vector3 slip_edge(const FrictionCone& cone, const Vector3& slip, double relaxed = 0);

// The derivatives of bar . w by all that it depends on; those by friction = 0 are to the right. By the slip they are
// also the change of w for a slip that changes by `bar`, since w has a potential.
struct SlipForceBars {
  Vector3 slip{}, normal{};
  ConeBars cone{};
  double relaxed = 0;
};
SlipForceBars slip_force_pull_back(const FrictionCone& cone, const Vector3& slip, const Vector3& bar,
                                   double relaxed = 0);

}  // namespace proxima::contact
