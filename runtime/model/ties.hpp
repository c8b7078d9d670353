// From the ties of a scene to those of a model. Internal to the room.
#pragma once

#include "runtime/model/scene.hpp"

namespace proxima::model {

// To be called when all bodies are there. Throws Error naming the scene file and key.
void add_ties(const Scene& scene, Model& model);

}  // namespace proxima::model
