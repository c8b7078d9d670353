// An unstructured grid as VTK's two formats hold it, and the mesh that it becomes. Internal to the room.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {

struct VtkGrid {
  std::vector<double> points;                             // 3 a node
  std::vector<std::int64_t> corners;                      // of all cells, one cell after the other
  std::vector<std::int64_t> ends;                         // of each cell's corners
  std::vector<std::int64_t> types;                        // VTK's number for the kind of each cell
  std::map<std::string, std::vector<double>> tag_arrays;  // one value a cell; those that may be tags alone
};

// Whether a cell array of this name tells regions: "region", "material" or the like.
bool may_be_tags(std::string_view name);

// Throws Error naming `file`: sizes that do not fit each other, cells of higher order, what NumberedMesh refuses.
Mesh to_mesh(const VtkGrid& grid, const std::string& file);

}  // namespace proxima::mesh
