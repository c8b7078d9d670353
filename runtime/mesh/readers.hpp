// One reader for each format, from the bytes of a file; read() chooses by the file's extension. `file` is what
// complaints begin with. None allocates more than its input, decompressed, is worth: a count in a file is never
// believed before what it counts was seen. Internal to the room, and to the fuzzers.
#pragma once

#include <string>
#include <string_view>

#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {

Mesh read_msh(const std::string& file, std::string_view content);
Mesh read_legacy_vtk(const std::string& file, std::string_view content);
Mesh read_vtu(const std::string& file, std::string_view content);
Mesh read_obj(const std::string& file, std::string_view content);
Mesh read_stl(const std::string& file, std::string_view content);

struct TetGenPair {
  std::string node_file, ele_file;  // names, for complaints
  std::string_view nodes, elements;
};
Mesh read_tetgen(const TetGenPair& pair);

}  // namespace proxima::mesh
