// From the forces, pressures and fluids of a scene to those of a model.
#pragma once

#include "runtime/model/scene.hpp"

namespace proxima::model {

// Triangles of the outer surface of the solids, and those that are no face of a solid, all of whose nodes are among
// `nodes`. Throws Error naming `where` when there are none.
mesh::Elements select_surface(const std::vector<std::int32_t>& nodes, const mesh::Mesh& mesh, const std::string& where);

// To be called when the held nodes are known: a pressure on a surface that is closed, or whose rim is held, becomes a
// region with an energy. Throws Error naming the scene file and key.
void add_loads(const Scene& scene, Model& model);

}  // namespace proxima::model
