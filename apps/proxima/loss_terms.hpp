// The loss section of a scene as one adjoint::Loss.
#pragma once

#include <memory>

#include "apps/proxima/problem.hpp"

namespace proxima::app {

// Sum of the terms, each a mean over its frames times its weight. Throws Error, naming the scene and the term, when
// there is none, a selection selects nothing, or a recording is missing, too short, of another mesh or of another time
// step.
std::shared_ptr<const adjoint::Loss> make_loss(const Problem& problem);

}  // namespace proxima::app
