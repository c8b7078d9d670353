// From the bodies of a scene to one mesh with regions. Internal to the room.
#pragma once

#include "runtime/model/build.hpp"

namespace proxima::model {

// Reads or makes the body's mesh, makes its regions, leaves out what has no material, puts it in its place and behind
// what the model has already. Throws Error naming the scene file and key, or the mesh, energy or value file.
void add_body(const Scene& scene, const BodySource& source, const EnergyLoader& load_energy, Built& built);

}  // namespace proxima::model
