// From a selection in a scene to the numbers of nodes. Errors name the scene file and the key, and say where the mesh
// is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/model/scene.hpp"

namespace proxima::model {

// Nodes of the model's mesh by rest position in space, increasing; see points_inside. Numbers are those of the body's
// file, a tag is that of the elements of highest dimension that have it. `where` is "scene.json: dirichlet[0].select".
// Throws Error when nothing is selected, a node does not exist, there is no such body or group.
std::vector<std::int32_t> select_nodes(const Selection& selection, const Model& model, const std::string& where);

// The group of that name; throws Error that suggests the nearest.
const mesh::Group& named_group(const std::map<std::string, mesh::Group>& groups, const std::string& name,
                               const std::string& where);

}  // namespace proxima::model
