#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkIntArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <stdexcept>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "compiler/support/xml.hpp"
#include "runtime/mesh/mesh.hpp"
#include "runtime/mesh/vtk_cells.hpp"
#include "runtime/mesh/vtk_output.hpp"

namespace proxima::mesh {
namespace {

// VTK says of a full disk which of its algorithms failed.
std::string why(unsigned long code, const VtkOutput& output) {
  if (code == vtkErrorCode::OutOfDiskSpaceError) return std::strerror(ENOSPC);
  const bool of_system = code > 0 && code < vtkErrorCode::FirstVTKErrorCode;
  return of_system ? std::strerror(static_cast<int>(code)) : output.complaint();
}

// The caller's values are lent to VTK, not copied; the writer only reads them.
vtkSmartPointer<vtkDoubleArray> lend(std::span<const double> values, int components) {
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetNumberOfComponents(components);
  array->SetArray(const_cast<double*>(values.data()), static_cast<vtkIdType>(values.size()), /*save=*/1);
  return array;
}

void add_arrays(vtkFieldData* fields, std::span<const DataArray> arrays, std::size_t count) {
  for (const auto& array : arrays) {
    if (array.components < 1 || array.values.size() != array.components * count) {
      throw std::logic_error(fmt::format("write_vtu: array {} has {} values, not {} x {}", array.name,
                                         array.values.size(), array.components, count));
    }
    const auto lent = lend(array.values, array.components);
    lent->SetName(escape_xml(array.name).c_str());  // VTK writes names as they are
    fields->AddArray(lent);
  }
}

vtkSmartPointer<vtkUnstructuredGrid> make_grid(const Mesh& mesh, std::span<const double> positions) {
  vtkNew<vtkPoints> points;
  points->SetData(lend(positions, 3));
  vtkNew<vtkCellArray> cells;
  vtkNew<vtkUnsignedCharArray> types;
  vtkNew<vtkIntArray> region;
  region->SetName("region");
  std::vector<vtkIdType> corners;
  for (const auto& [elements, tags] : mesh.blocks) {
    for (std::size_t e = 0; e < elements.count(); ++e) {
      const auto nodes = elements.of(e);
      corners.assign(nodes.begin(), nodes.end());
      cells->InsertNextCell(static_cast<vtkIdType>(corners.size()), corners.data());
      types->InsertNextValue(vtk_cell_type(elements.shape));
      region->InsertNextValue(tags[e]);
    }
  }

  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  grid->SetPoints(points);
  grid->SetCells(types, cells);
  grid->GetCellData()->AddArray(region);
  return grid;
}

}  // namespace

std::uint8_t vtk_cell_type(Shape shape) {
  static const std::map<Shape, std::uint8_t> types = {{Shape::edge, VTK_LINE},
                                                      {Shape::triangle, VTK_TRIANGLE},
                                                      {Shape::tetrahedron, VTK_TETRA},
                                                      {Shape::hexahedron, VTK_HEXAHEDRON}};
  return types.at(shape);
}

void write_vtu(const std::filesystem::path& file, const Mesh& mesh, std::span<const double> positions,
               std::span<const DataArray> node_data, std::span<const DataArray> element_data) {
  const bool fits = positions.size() == 3 * mesh.nodes.size() &&
                    std::all_of(mesh.blocks.begin(), mesh.blocks.end(),
                                [](const Block& block) { return block.tags.size() == block.elements.count(); });
  if (!fits) throw std::logic_error("write_vtu: positions or tags do not fit the mesh");
  const auto grid = make_grid(mesh, positions);
  add_arrays(grid->GetPointData(), node_data, mesh.nodes.size());
  add_arrays(grid->GetCellData(), element_data, element_count(mesh));

  write_through_temporary(file, [&](const std::filesystem::path& temporary) {
    const VtkOutput output;
    vtkNew<vtkXMLUnstructuredGridWriter> writer;
    writer->SetFileName(temporary.c_str());
    writer->SetInputData(grid);
    writer->SetDataModeToAppended();
    writer->EncodeAppendedDataOff();
    writer->SetCompressorTypeToZLib();
    writer->SetCompressionLevel(1);  // digits of doubles are noise: more effort makes files less than 1 % smaller
    if (writer->Write() != 1 || writer->GetErrorCode() != 0) {
      fail("{}: cannot be written ({})", file.string(), why(writer->GetErrorCode(), output));
    }
  });
}

}  // namespace proxima::mesh
