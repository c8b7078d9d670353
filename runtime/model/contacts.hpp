// From the obstacles of a scene and who touches whom to a model. Internal to the room.
#pragma once

#include "runtime/model/function_inputs.hpp"

namespace proxima::model {

// Adds obstacles and pairs to a model that has its bodies: every body with every obstacle, further pairs as the scene
// says. Throws Error naming the scene file and key, or a file of heights, distances or triangles.
void add_contacts(const Scene& scene, const FunctionLoader& load, Model& model);

}  // namespace proxima::model
