// XML .vtu. An own reader because VTK's believes offsets, sizes and counts of blocks, up to gigabytes and crashes.
#include <charconv>

#include "compiler/support/error.hpp"
#include "runtime/mesh/readers.hpp"
#include "runtime/mesh/text_cursor.hpp"
#include "runtime/mesh/vtk_grid.hpp"
#include "runtime/mesh/vtu_data.hpp"

namespace proxima::mesh {
namespace {

std::size_t announced(const VtuPiece& piece, std::string_view name, const std::string& file) {
  const auto text = attribute(piece.attributes, name);
  std::size_t count = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || stop != text.data() + text.size())
    fail("{}: {} of a piece is '{}', a whole number is needed", file, name, printable(text));
  return count;
}

class PieceReader {
 public:
  PieceReader(const VtuDocument& document, const VtuPiece& piece, const std::string& file)
      : document_(document), piece_(piece), file_(file) {}

  void append_to(VtkGrid& grid) const {
    const auto nodes = announced(piece_, "NumberOfPoints", file_), cells = announced(piece_, "NumberOfCells", file_);
    const auto nodes_before = static_cast<std::int64_t>(grid.points.size() / 3);
    const auto corners_before = static_cast<std::int64_t>(grid.corners.size());
    const auto& points = find("Points", "");
    const auto positions = to_real(vtu_values(document_, points, file_));
    require(positions.size() == 3 * nodes && positions.size() / 3 == nodes, points, positions.size(),
            "3 for each point");
    grid.points.insert(grid.points.end(), positions.begin(), positions.end());
    for (const auto corner : whole(find("Cells", "connectivity")))
      grid.corners.push_back(shifted(corner, nodes_before));
    append_cells(find("Cells", "offsets"), cells, corners_before, grid.ends);
    append_cells(find("Cells", "types"), cells, 0, grid.types);
    for (const auto& array : piece_.arrays)
      if (array.section == "CellData" && may_be_tags(attribute(array.attributes, "Name"))) append_tags(array, grid);
  }

 private:
  // The first array of that section, with that name unless it is empty.
  const VtuArray& find(std::string_view section, std::string_view name) const {
    for (const auto& array : piece_.arrays)
      if (array.section == section && (name.empty() || attribute(array.attributes, "Name") == name)) return array;
    fail("{}: a piece has no array {} in its {}; the file is damaged or cut short", file_,
         name.empty() ? section : name, section);
  }

  void require(bool fits, const VtuArray& array, std::size_t found, std::string_view needed) const {
    if (!fits)
      fail("{}: array {} of {} has {} values; needed are {}", file_,
           printable(attribute(array.attributes, "Name", "without a name")), array.section, found, needed);
  }

  std::vector<std::int64_t> whole(const VtuArray& array) const {
    auto values = vtu_values(document_, array, file_);
    auto* numbers = std::get_if<std::vector<std::int64_t>>(&values);
    if (numbers == nullptr)
      fail("{}: array {} holds real numbers; whole ones are needed", file_, attribute(array.attributes, "Name"));
    return std::move(*numbers);
  }

  // A number that is out of range stays so, without overflow.
  static std::int64_t shifted(std::int64_t number, std::int64_t by) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(number) + static_cast<std::uint64_t>(by));
  }

  void append_cells(const VtuArray& array, std::size_t cells, std::int64_t shift, std::vector<std::int64_t>& to) const {
    const auto numbers = whole(array);
    require(numbers.size() == cells, array, numbers.size(), fmt::format("{}, one for each cell", cells));
    for (const auto number : numbers) to.push_back(shifted(number, shift));
  }

  void append_tags(const VtuArray& array, VtkGrid& grid) const {
    if (attribute(array.attributes, "NumberOfComponents", "1") != "1") return;
    const auto values = to_real(vtu_values(document_, array, file_));
    auto& tags = grid.tag_arrays[std::string(attribute(array.attributes, "Name"))];
    tags.insert(tags.end(), values.begin(), values.end());
  }

  const VtuDocument& document_;
  const VtuPiece& piece_;
  const std::string& file_;
};

}  // namespace

Mesh read_vtu(const std::string& file, std::string_view content) {
  const auto document = read_vtu_xml(file, content);
  VtkGrid grid;
  for (const auto& piece : document.pieces) PieceReader(document, piece, file).append_to(grid);
  return to_mesh(grid, file);
}

}  // namespace proxima::mesh
