// Whether a body has an equilibrium at all: without inertia, what can move rigidly has no place to be.
#pragma once

#include "runtime/model/model.hpp"

namespace proxima::model {

// Throws Error naming a piece (nodes that elements with a stored energy connect) that is not held at three nodes that
// are not in a line.
void require_held_pieces(const Model& model);

}  // namespace proxima::model
