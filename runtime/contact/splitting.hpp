// Splitting the matrix into a diagonal and the rest (Qiao et al. 2021, section 5).
#pragma once

#include "runtime/contact/condensed_point.hpp"

namespace proxima::contact {

// As CondensedEntry::run: all contacts at once are solved against the forces of the iteration before, with D = E + (D -
// E). The diagonal E only has to be large enough, since it drops out where the iteration stands still; E_c = sum of
// |D_cd| makes E - D positive semi-definite. An iteration costs one product with D, and convergence is
// linear: the number of iterations grows with the condition of D.
void run_splitting(CondensedPoint& point, const CondensedSettings& settings, CondensedOutcome& outcome);

}  // namespace proxima::contact
