// What obstacles and pairs of contact must satisfy. Internal to the room.
#pragma once

#include "runtime/model/model.hpp"

namespace proxima::model {

// Throws Error naming the obstacle or pair: two of one name, no key frame, key frames that do not increase, a parameter
// outside its interval, grids too small or of another size, values that are not finite, a triangle of nodes that do not
// exist, a body or obstacle that does not exist, a pair listed twice, friction below 0, restitution outside 0 to 1.
void check_contacts(const Model& model);

}  // namespace proxima::model
