// One reader for each format; read() chooses by the file's extension. Internal to the room.
#pragma once

#include <filesystem>

#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {

Mesh read_msh(const std::filesystem::path& file);
Mesh read_legacy_vtk(const std::filesystem::path& file);
Mesh read_vtu(const std::filesystem::path& file);
Mesh read_tetgen(const std::filesystem::path& file);

}  // namespace proxima::mesh
