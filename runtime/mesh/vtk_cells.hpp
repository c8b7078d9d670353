// VTK's numbers for the shapes that meshes have (vtkCellType.h). Internal to the room.
#pragma once

#include <cstdint>

#include "runtime/mesh/elements.hpp"

namespace proxima::mesh {

std::uint8_t vtk_cell_type(Shape shape);

}  // namespace proxima::mesh
