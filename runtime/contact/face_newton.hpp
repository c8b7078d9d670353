// Newton's method on a face: with each contact held to be open, stick or slip, the conditions are smooth equations.
#pragma once

#include <vector>

#include "runtime/contact/condensed_point.hpp"

namespace proxima::contact {

// The forces after one step from those of the point, on the face that its trial forces show: open contacts have no
// force, sticking ones no displacement, slipping ones no gap and a tangential force mu f.n against the slip, whose
// direction turns along. Sticking contacts are eliminated first, by one scalar Cholesky decomposition. An empty vector
// where there is no such step.
std::vector<double> step_on_face(const CondensedPoint& point);

}  // namespace proxima::contact
