// Which nodes of a model contacts and ties look at or move.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/model/model.hpp"

namespace proxima::contact {

// Those of the surfaces of bodies that may touch something, where that may be a body the nodes of solids just behind
// them, and those that are tied, with what they are tied to; increasing, each once.
std::vector<std::int32_t> touching_nodes(const model::Model& model);

}  // namespace proxima::contact
