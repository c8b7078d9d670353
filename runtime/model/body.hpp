// A body's share of a model's mesh: where its nodes are, and what its own file calls them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/mesh/mesh.hpp"

namespace proxima::model {

struct Body {
  std::string name;                        // "" for the only body of a scene in its short form
  std::int32_t first_node = 0, nodes = 0;  // its nodes follow one another in the mesh
  std::vector<std::int32_t> node_map;      // number in the body's own file -> number in the mesh, -1 where left out
  std::map<std::string, mesh::Group> groups;
  // Nodes of the mesh, increasing, of every physical group that the file has, also of elements without a material.
  std::map<mesh::Group, std::vector<std::int32_t>> group_nodes;
};

// " of body 'left'", or nothing where the body has no name.
std::string of_body(const std::string& name);

// "node 12 of body 'left'", counted as in the body's file; "node 12" by its number in the mesh where no body has it.
std::string node_name(const std::vector<Body>& bodies, std::size_t node);

}  // namespace proxima::model
