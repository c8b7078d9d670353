// Whether a simulation can begin where its bodies are.
#pragma once

#include <string>

#include "compiler/jit/jit.hpp"
#include "runtime/model/model.hpp"

namespace proxima::contact {

// Throws Error naming the obstacle, the node and the depth where a node starts deeper in an obstacle that it is paired
// with than rounding in a mesh file explains: 1e-4 of the bodies' size. The first step would throw it out.
void require_start_outside(const model::Model& model, jit::Engine& engine);

// Where solids that may touch each other overlap by more than that: a sentence that names the deepest node; else "".
// Contact pushes out what is a little inside and sees nothing of what is deep inside.
std::string overlap_at_start(const model::Model& model);

}  // namespace proxima::contact
