// A^-1 as contacts see it: D = W A^-1 W^T (contact/condensed_matrix.hpp), where W has the weights of the contacts on
// their nodes.
#pragma once

#include <span>

#include "runtime/contact/condensed_matrix.hpp"
#include "runtime/contact/geometry.hpp"
#include "runtime/solve/precondition/preconditioner.hpp"

namespace proxima::solve {

using ContactMetric = contact::CondensedMatrix;

// Keeps a reference to the inverse of A.
ContactMetric contact_metric(const Preconditioner& a, std::span<const model::ContactKey> keys,
                             std::span<const contact::Geometry> geometry, contact::CondensedStorage storage);

}  // namespace proxima::solve
