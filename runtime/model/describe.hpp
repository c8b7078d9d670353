// What the log states about a model. Internal to the room.
#pragma once

#include "runtime/model/build.hpp"

namespace proxima::model {

// Adds notes and warnings; `mass` is that of the nodes.
void describe(const std::vector<double>& mass, Built& built);

}  // namespace proxima::model
