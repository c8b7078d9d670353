// XML .vtu by VTK's reader: text, base64 or raw, compressed or not.
#include <vtkNew.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <charconv>
#include <string_view>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/mesh/readers.hpp"
#include "runtime/mesh/vtk_grid.hpp"

namespace proxima::mesh {
namespace {

// VTK 9.1 takes a number of components that is no number from uninitialised memory, and may then run for ever.
void check_components(const std::string& file, std::string_view content) {
  constexpr std::string_view kAttribute = "NumberOfComponents=\"";
  for (auto at = content.find(kAttribute); at != content.npos; at = content.find(kAttribute, at)) {
    at += kAttribute.size();
    const auto value = content.substr(at, content.find('"', at) - at);
    int components = 0;
    const char* begin = value.data();
    const char* end = begin + value.size();
    const auto [stop, error] = std::from_chars(begin, end, components);
    if (error != std::errc() || stop != end || components < 1) {
      fail("{}: cannot be read as a VTK unstructured grid (NumberOfComponents is not a number)", file);
    }
  }
}

// VTK 9.1 follows a null pointer when a cell array is too short and there is no <PointData>: give it one.
std::string with_point_data(std::string content) {
  constexpr std::string_view kCellData = "<CellData", kPointData = "<PointData/>";
  for (auto at = content.find(kCellData); at != content.npos;
       at = content.find(kCellData, at + kPointData.size() + kCellData.size())) {
    content.insert(at, kPointData);
  }
  return content;
}

}  // namespace

Mesh read_vtu(const std::filesystem::path& file) {
  const auto content = read_file(file);
  check_components(file.string(), content);
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->ReadFromInputStringOn();
  reader->SetInputString(with_point_data(content));
  return run_vtk_reader(*reader, file.string());
}

}  // namespace proxima::mesh
