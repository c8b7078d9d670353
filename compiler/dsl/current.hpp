// What the calls of proxima/dsl/abi.h act on: internal to this room.
#pragma once

#include "compiler/dsl/registry.hpp"

namespace proxima::dsl {

// That of the Registration alive in this thread, or the program's own.
Collection& current_collection();

// Throws Error that names both places.
[[noreturn]] void refuse_twins(const Registered& first, const Registered& second);

}  // namespace proxima::dsl
