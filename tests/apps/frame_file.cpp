#include "tests/apps/frame_file.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

namespace proxima::test {
namespace {

std::vector<double> values_of(vtkDataArray* array) {
  std::vector<double> values;
  for (vtkIdType i = 0; i < array->GetNumberOfTuples(); ++i)
    for (int c = 0; c < array->GetNumberOfComponents(); ++c) values.push_back(array->GetComponent(i, c));
  return values;
}

void read_arrays(vtkDataSetAttributes* data, std::vector<std::string>& names,
                 std::map<std::string, std::vector<double>>& values) {
  for (int k = 0; k < data->GetNumberOfArrays(); ++k) {
    auto* array = data->GetArray(k);
    names.push_back(std::string(array->GetName()) + " " + std::to_string(array->GetNumberOfComponents()));
    values[array->GetName()] = values_of(array);
  }
}

}  // namespace

FrameFile::FrameFile(const std::filesystem::path& file) {
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  auto* grid = reader->GetOutput();
  points = values_of(grid->GetPoints()->GetData());
  for (vtkIdType k = 0; k < grid->GetNumberOfCells(); ++k) {
    vtkNew<vtkIdList> ids;
    grid->GetCellPoints(k, ids);
    auto& cell = cells.emplace_back();
    for (vtkIdType i = 0; i < ids->GetNumberOfIds(); ++i) cell.push_back(static_cast<int>(ids->GetId(i)));
  }
  read_arrays(grid->GetPointData(), node_fields, nodes);
  read_arrays(grid->GetCellData(), element_fields, elements);
}

}  // namespace proxima::test
