// The part of model::validate() that is about forces. Internal to the room.
#pragma once

#include "runtime/model/model.hpp"

namespace proxima::model {

// Throws Error for forces on nodes that do not exist or that are not finite, tables and key frames that do not
// increase, and loads taken at the start of a step in a quasi-static model, whose steps may be of any size.
void check_loads(const Model& model);

}  // namespace proxima::model
