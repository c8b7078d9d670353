// Legacy .vtk by VTK's reader, text or binary, in the cell layouts before and since version 5.
#include <vtkNew.h>
#include <vtkUnstructuredGridReader.h>

#include <limits>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/mesh/readers.hpp"
#include "runtime/mesh/text_cursor.hpp"
#include "runtime/mesh/vtk_grid.hpp"

namespace proxima::mesh {
namespace {

constexpr std::string_view kTitle = "# vtk DataFile Version ";

// Legacy files are big-endian.
std::int32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const unsigned char byte : bytes) value = value << 8 | byte;
  return static_cast<std::int32_t>(value);
}

// The layout before version 5: for each cell the number of its corners and the corners, `size` integers in all.
void check_cell_list(TextCursor& cursor, bool binary, std::int64_t cells, std::int64_t size) {
  constexpr auto kWhat = "the corners of a cell";
  std::int64_t left = size;
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    const std::int64_t corners = binary ? big_endian(cursor.bytes(4, kWhat)) : cursor.integer(kWhat);
    if (corners < 0 || corners >= left) {
      cursor.fail("cell {} has {} corners, but the CELLS line leaves room for {}", cell, corners, left - 1);
    }
    left -= corners + 1;
    if (binary) {
      cursor.bytes(4 * static_cast<std::size_t>(corners), kWhat);
    } else {
      for (std::int64_t i = 0; i < corners; ++i) cursor.integer(kWhat);
    }
  }
  if (left != 0) cursor.fail("the CELLS line announces {} numbers, the cells hold {}", size, size - left);
}

// VTK 9.1 writes past its arrays when the numbers of cells and corners do not fit the list, and believes any number of
// points, so they are checked first.
void check_counts(const std::string& file, std::string_view content) {
  TextCursor cursor(file, content);
  const auto title = cursor.line();
  if (!title.starts_with(kTitle)) cursor.fail("this is no legacy VTK file: it should begin with '{}'", kTitle);
  const auto version = cursor.to_real(title.substr(kTitle.size()), "the version");
  cursor.line();
  const bool binary = cursor.word("BINARY or ASCII") == "BINARY";
  if (auto points = cursor; points.skip_past("\nPOINTS ")) {
    const auto count = points.integer("the number of points");
    if (count < 0 || static_cast<std::uint64_t>(count) > content.size() / 3) {
      points.fail("{} points are announced, more than the file can hold", count);
    }
  }
  if (binary) cursor.set_place("section CELLS");
  if (!cursor.skip_past("\nCELLS ")) cursor.fail("there is no CELLS section; an unstructured grid is needed");
  auto cells = cursor.integer("the number of cells");
  const auto size = cursor.integer("the size of the cell list");
  cursor.line();
  if (version < 5) {
    check_cell_list(cursor, binary, cells, size);
  } else {
    --cells;  // what stands there is the number of offsets
  }
  if (!cursor.skip_past("CELL_TYPES")) cursor.fail("the file ends before CELL_TYPES; it is cut short");
  if (cursor.integer("the number of cell types") != cells) cursor.fail("CELL_TYPES should have {} cells", cells);
}

}  // namespace

Mesh read_legacy_vtk(const std::filesystem::path& file) {
  const auto content = read_file(file);
  if (content.size() > std::numeric_limits<int>::max()) {
    fail("{}: too large for VTK's legacy reader (2 GB); save it as .vtu", file.string());
  }
  check_counts(file.string(), content);
  vtkNew<vtkUnstructuredGridReader> reader;
  reader->ReadFromInputStringOn();
  reader->SetBinaryInputString(content.data(), static_cast<int>(content.size()));
  reader->ReadAllScalarsOn();
  reader->ReadAllFieldsOn();
  return run_vtk_reader(*reader, file.string());
}

}  // namespace proxima::mesh
