// From a selection in a scene to node or tet numbers. Errors name the scene file and the key, and say where the mesh
// is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/mesh/mesh.hpp"
#include "runtime/model/scene.hpp"

namespace proxima::model {

// Nodes by rest position, increasing. Shapes are closed and grown by 1e-9 of the mesh's diagonal, so that a box that
// ends on a face takes the face whatever its coordinates were rounded to. `repairs` maps node numbers of the file.
// `where` is "scene.json: dirichlet[0].select". Throws Error when nothing is selected, a node does not exist, or there
// is no such group.
std::vector<std::int32_t> select_nodes(const Selection& selection, const mesh::Mesh& mesh, const mesh::Repairs& repairs,
                                       const std::string& where);

// Tets by centroid or group, increasing; All means every tet. Same errors.
std::vector<std::int32_t> select_tets(const Selection& selection, const mesh::Mesh& mesh, const std::string& where);

}  // namespace proxima::model
