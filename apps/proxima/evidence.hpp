// What has to be known of gradients before they are trusted.
#pragma once

#include "runtime/optimize/record.hpp"

namespace proxima::app {

// Warnings on stderr that name the first step with negative curvature, and the first whose adjoint a filter changed; on
// stdout the estimated errors, where they were asked for.
void print_evidence(const optimize::Cost& cost);

}  // namespace proxima::app
