// What can only be seen when an energy is written down to its end. Internal to this room.
#pragma once

#include "compiler/dsl/tracing.hpp"

namespace proxima::dsl {

// Notes the first mistake found: an energy that does not depend on its strain measure, inputs that do not fit it, a
// history that is not updated, a rate in an energy or none in a dissipation, U or V of a decomposition in an energy.
void check_dependencies(Trace& trace, ir::NodeId density);

// The same of a function: no output, an input, parameter or weights that reach no output, U or V.
void check_function(Trace& trace);

// These two try the formulas out at a few states, parameters and histories at their defaults and away from them.

// Which singular value comes first, and the sign of a pair of singular vectors, has no meaning: notes a mistake when a
// result changes with it. Source of the need: a function of F written with them is differentiable only if it is
// symmetric (Ball 1984).
void probe_symmetry(Trace& trace, ir::NodeId density);

// A closest-point rule has to give points of a set back, and no point of the set that is farther than its neighbours.
void probe_projections(Trace& trace);

}  // namespace proxima::dsl
