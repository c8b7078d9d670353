// The loss section of a scene as one adjoint::Loss.
#pragma once

#include <memory>
#include <vector>

#include "apps/proxima/attached_markers.hpp"
#include "apps/proxima/problem.hpp"

namespace proxima::app {

struct SceneLoss {
  std::shared_ptr<const adjoint::Loss> loss;
  std::vector<TermMarkers> markers;  // of the terms that have some: as seen, without noise
};
// Sum of the terms, each a mean over its frames, or over its sightings of markers, times its weight. Throws Error,
// naming the scene and the term, when there is none, a selection selects nothing, or a recording is missing, too short
// or of another mesh; for markers naming the place in their table. What is to be known of them goes to the problem's
// notes.
SceneLoss make_loss(Problem& problem);

}  // namespace proxima::app
