// Legacy .vtk, version 3.0: the layout of cells that every program reads.
#include <fmt/ranges.h>

#include <iterator>

#include "compiler/support/file.hpp"
#include "runtime/mesh/mesh.hpp"
#include "runtime/mesh/vtk_cells.hpp"

namespace proxima::mesh {

void write_vtk(const std::filesystem::path& file, const Mesh& mesh) {
  std::string cells, types, tags;
  std::size_t count = 0, size = 0;
  for (const auto& [elements, block_tags] : mesh.blocks) {
    for (std::size_t e = 0; e < elements.count(); ++e) {
      fmt::format_to(std::back_inserter(cells), "{} {}\n", elements.corners, fmt::join(elements.of(e), " "));
      fmt::format_to(std::back_inserter(types), "{}\n", vtk_cell_type(elements.shape));
      fmt::format_to(std::back_inserter(tags), "{}\n", block_tags.at(e));
    }
    count += elements.count();
    size += elements.count() + elements.nodes.size();
  }
  auto text = fmt::format("# vtk DataFile Version 3.0\nmesh\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n",
                          mesh.nodes.size());
  const auto put = std::back_inserter(text);
  for (const auto& x : mesh.nodes) fmt::format_to(put, "{}\n", fmt::join(x, " "));
  fmt::format_to(put, "CELLS {} {}\n{}CELL_TYPES {}\n{}", count, size, cells, count, types);
  fmt::format_to(put, "CELL_DATA {}\nSCALARS region int 1\nLOOKUP_TABLE default\n{}", count, tags);
  write_file(file, text);
}

}  // namespace proxima::mesh
