// Projected Gauss-Seidel: contact after contact takes the force that solves it exactly against the others.
#pragma once

#include "runtime/contact/condensed_point.hpp"

namespace proxima::contact {

// As CondensedEntry::run. Where the sweeps converge slowly, Newton on the face that they have found (face_newton.hpp)
// is tried from time to time; where that does not find it, as happens where many contacts share a few nodes,
// Fischer-Burmeister's method.
void run_gauss_seidel(CondensedPoint& point, const CondensedSettings& settings, CondensedOutcome& outcome);

// One sweep, in the order of the contacts.
void sweep_once(CondensedPoint& point);

}  // namespace proxima::contact
