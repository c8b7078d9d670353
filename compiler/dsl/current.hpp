// What the calls of proxima/dsl/abi.h act on: internal to this room.
#pragma once

#include "compiler/dsl/registry.hpp"

namespace proxima::dsl {

// The Registration of this thread, or the program's own.
Registration& current_registration();

}  // namespace proxima::dsl
