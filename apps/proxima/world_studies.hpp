// Scenes to be fitted together that are worlds of one mesh: all are evaluated side by side
// (runtime/solve/step/worlds.hpp).
#pragma once

#include "apps/proxima/study.hpp"

namespace proxima::app {

// Throws Error naming the world that does not run beside the first (solve::require_alike), and the one that lacks a
// variable which others have.
void require_worlds(const std::vector<Study>& studies, const JointDesign& design);

// The sum of their losses as one part of a search, which adds to `work` what was shared; refers to what it is given.
optimize::Part world_part(const std::vector<Study>& studies, const JointDesign& design, solve::SharedWork& work);

}  // namespace proxima::app
