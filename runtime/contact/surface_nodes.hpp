// The nodes of a body that something may touch.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/model/model.hpp"

namespace proxima::contact {

// Of the boundary of solids, of all triangles and of all edges of the mesh; held nodes are left out. `body` as in
// ContactPair. Increasing.
std::vector<std::int32_t> surface_nodes(const model::Model& model, std::int32_t body);

}  // namespace proxima::contact
