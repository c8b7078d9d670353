// From what a trace has collected to the energy as the rest of the program knows it. Internal to this room.
#pragma once

#include "compiler/dsl/tracing.hpp"

namespace proxima::dsl {

// Slots get their final numbers: strain measure, parameters, further inputs in the order in which they were declared.
ir::Energy assemble(const Trace& trace, ir::NodeId density);

// Inputs, then parameters and weights, each in the order in which they were declared.
ir::Function assemble_function(const Trace& trace);

}  // namespace proxima::dsl
