#include "runtime/mesh/vtk_grid.hpp"

#include <vtkAlgorithm.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkPoints.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <new>

#include "compiler/support/error.hpp"
#include "runtime/mesh/vtk_output.hpp"

namespace proxima::mesh {
namespace {

// Cell arrays that become tags, by the names that meshing programs give them (letter case does not matter). The first
// of them that the file has is taken.
constexpr std::string_view kTagArrays[] = {"region",     "material",    "tag",        "gmsh:physical", "CellEntityIds",
                                           "medit:ref",  "material_id", "MaterialId", "MaterialIds",   "regions",
                                           "attributes", "PhysicalIds", "cell_tags"};

constexpr int kHigherOrderTets[] = {VTK_QUADRATIC_TETRA, VTK_HIGHER_ORDER_TETRAHEDRON, VTK_LAGRANGE_TETRAHEDRON,
                                    VTK_BEZIER_TETRAHEDRON};

bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

vtkDataArray* find_tags(vtkCellData* data) {
  for (const auto wanted : kTagArrays) {
    for (int i = 0; i < data->GetNumberOfArrays(); ++i) {
      auto* array = data->GetArray(i);
      if (array != nullptr && array->GetName() != nullptr && same_but_for_case(array->GetName(), wanted)) return array;
    }
  }
  return nullptr;
}

std::int32_t tag_of(const std::string& file, vtkDataArray* tags, vtkIdType cell) {
  const double tag = tags->GetTuple1(cell);
  if (tag != std::floor(tag) || std::abs(tag) > std::numeric_limits<std::int32_t>::max()) {
    fail("{}: cell array {} is read as regions, which are whole numbers; cell {} has {}", file, tags->GetName(), cell,
         tag);
  }
  return static_cast<std::int32_t>(tag);
}

// What else a reader relies on when it follows the cells of a grid: sizes that fit each other.
void check_sizes(vtkUnstructuredGrid& grid, vtkDataArray* tags, const std::string& file) {
  auto* cells = grid.GetCells();
  auto* types = grid.GetCellTypesArray();
  if (grid.GetNumberOfPoints() == 0) fail("{}: no nodes", file);
  if (grid.GetNumberOfPoints() > std::numeric_limits<std::int32_t>::max()) {
    fail("{}: {} nodes are more than can be numbered", file, grid.GetNumberOfPoints());
  }
  if (cells == nullptr || types == nullptr || cells->GetNumberOfCells() == 0) fail("{}: no cells", file);
  if (!cells->IsValid() || types->GetNumberOfValues() != cells->GetNumberOfCells()) {
    fail("{}: the cells, their corners and their types do not fit each other; the file is damaged", file);
  }
  if (tags != nullptr &&
      (tags->GetNumberOfComponents() != 1 || tags->GetNumberOfTuples() != cells->GetNumberOfCells())) {
    fail("{}: cell array {} is read as regions and needs one number a cell", file, tags->GetName());
  }
}

Mesh from_grid(vtkUnstructuredGrid& grid, const std::string& file) {
  auto* tags = find_tags(grid.GetCellData());
  check_sizes(grid, tags, file);
  Mesh mesh;
  const auto node_count = grid.GetNumberOfPoints();
  for (vtkIdType i = 0; i < node_count; ++i) grid.GetPoint(i, mesh.nodes.emplace_back().data());

  Block tets = block(mesh, Shape::tetrahedron);
  auto* types = grid.GetCellTypesArray();
  for (vtkIdType cell = 0; cell < grid.GetNumberOfCells(); ++cell) {
    const int type = types->GetValue(cell);
    if (std::find(std::begin(kHigherOrderTets), std::end(kHigherOrderTets), type) != std::end(kHigherOrderTets)) {
      fail("{}: cell {} is a tetrahedron of higher order (VTK cell type {}); only linear ones are read", file, cell,
           type);
    }
    if (type != VTK_TETRA) continue;
    vtkIdType corner_count;
    const vtkIdType* corners;
    grid.GetCellPoints(cell, corner_count, corners);
    if (corner_count != 4) fail("{}: cell {} is a tetrahedron with {} corners", file, cell, corner_count);
    for (int i = 0; i < 4; ++i) {
      if (corners[i] < 0 || corners[i] >= node_count) {
        fail("{}: cell {} names node {}, but nodes go from 0 to {}", file, cell, corners[i], node_count - 1);
      }
      tets.elements.nodes.push_back(static_cast<std::int32_t>(corners[i]));
    }
    tets.tags.push_back(tags == nullptr ? 0 : tag_of(file, tags, cell));
  }
  if (tets.tags.empty()) {
    fail("{}: no tetrahedra among its {} cells (the first is of VTK cell type {}); a tetrahedral mesh is needed", file,
         grid.GetNumberOfCells(), static_cast<int>(types->GetValue(0)));
  }
  mesh.blocks.push_back(std::move(tets));
  return mesh;
}

}  // namespace

Mesh run_vtk_reader(vtkAlgorithm& reader, const std::string& file) {
  {
    const VtkOutput output;
    try {
      reader.Update();
    } catch (const std::bad_alloc&) {
      fail("{}: announces more data than fits into memory; the file is damaged", file);
    }
    const auto complaint = output.complaint();
    if (!complaint.empty() || reader.GetErrorCode() != 0) {
      fail("{}: cannot be read as a VTK unstructured grid ({})", file, complaint.empty() ? "damaged" : complaint);
    }
  }
  auto* grid = vtkUnstructuredGrid::SafeDownCast(reader.GetOutputDataObject(0));
  if (grid == nullptr) fail("{}: holds no unstructured grid", file);
  return from_grid(*grid, file);
}

}  // namespace proxima::mesh
