// One reader for each format; read() chooses by the file's extension. Internal to the room.
#pragma once

#include <filesystem>

#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {

TetMesh read_msh(const std::filesystem::path& file);
TetMesh read_legacy_vtk(const std::filesystem::path& file);
TetMesh read_vtu(const std::filesystem::path& file);
TetMesh read_tetgen(const std::filesystem::path& file);

}  // namespace proxima::mesh
