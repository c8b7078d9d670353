// From a VTK reader to a mesh. VTK trusts what it reads, so all is checked here before use. Internal to the room.
#pragma once

#include <string>

#include "runtime/mesh/mesh.hpp"

class vtkAlgorithm;

namespace proxima::mesh {

// Runs a reader of unstructured grids and takes its tetrahedra, with a cell array of whole numbers that is called
// "region", "material" or the like as their tags. Throws Error naming `file`: what VTK complains about, too much data
// for the memory, arrays that do not fit each other, tets of higher order, no tets.
Mesh run_vtk_reader(vtkAlgorithm& reader, const std::string& file);

}  // namespace proxima::mesh
