// What was measured, as Markdown.
#pragma once

#include <string>

#include "tests/gpu/timing.hpp"

namespace proxima::gpu {

// A row a kernel.
std::string table_of(const Timings& timings);

// A row a target, met or not.
std::string targets_of(const Timings& timings);

}  // namespace proxima::gpu
