// Semi-smooth Newton on all contacts at once: the complementarity conditions written as roots of the Fischer-Burmeister
// function phi(a, b) = a + b - sqrt(a^2 + b^2), which is 0 where 0 <= a perp b >= 0 (Macklin 2020, chapter 4).
#pragma once

#include "runtime/contact/block_system.hpp"
#include "runtime/contact/condensed_point.hpp"

namespace proxima::contact {

// The three equations of a contact, as a vector in metres, and their changes with displacement s and force f. With r
// the contact's compliance D_cc, which brings forces to metres, and g = r f:
//   normal:      phi(s.n, g.n) = 0,
//   tangential:  (b + w) s_t + (a - w) g_t = 0, over a + b, with a = |s_t|, b = |g_t| and w = phi(a, mu g.n - b).
// The second is s_t + W f_t = 0 with the slack W from the fixed point of Macklin's eq. 72, multiplied by its
// denominator: it says s_t = 0 inside the cone, f_t against s_t on its edge, and f_t = 0 at an open contact, where W is
// infinite. `smoothing` (m) rounds the corners of phi and of the lengths.
struct SmoothedContact {
  Vector3 value{};
  Linearised change;
};
SmoothedContact smoothed(const CondensedContact& contact, double r, const Vector3& s, const Vector3& f,
                         double smoothing);

// As CondensedEntry::run: Newton on these equations, smoothed less the smaller they become, with a line search on the
// sum of their squares that lets it rise above the last but not above the last few.
void run_fischer_burmeister(CondensedPoint& point, const CondensedSettings& settings, CondensedOutcome& outcome);

}  // namespace proxima::contact
