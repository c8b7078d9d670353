// A body with a controller.
#pragma once

#include "runtime/model/model.hpp"

namespace proxima::bodies {

// make_mixed_scene with stiffness damping, whose stiffer region has both moduli set by a function of the time, of where
// two groups of nodes are and of how one moves, through tanh.
model::Model make_driven_scene(int steps);

}  // namespace proxima::bodies
