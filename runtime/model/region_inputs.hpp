// What a material gives its elements: parameters, directions, damping and density, as one value or one for each
// element. Internal to the room.
#pragma once

#include "runtime/model/scene.hpp"

namespace proxima::model {

// The region has its energy and elements, with the nodes of `mesh`, a body's own. `where` is "scene.json:
// materials[0]". Each throws Error naming the key, or the file of values.
void set_parameters(const EnergySource& source, const mesh::Mesh& mesh, const std::string& where, Region& region);
void set_directions(const EnergySource& source, const mesh::Mesh& mesh, const std::string& where, Region& region);
// The mass is the first energy's to damp; stiffness is that of all that store energy.
void set_damping(const MaterialSource& material, const mesh::Mesh& mesh, const std::string& where, Region& region);
// The mean by volume, and each element's density over it where they may differ.
void set_density(const ElementValues& source, const mesh::Mesh& mesh, const std::string& where, Region& region);

}  // namespace proxima::model
