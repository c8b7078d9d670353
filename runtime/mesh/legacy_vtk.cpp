// Legacy .vtk, text or binary, in the cell layouts before and since version 5: "VTK File Formats", "Simple Legacy
// Formats". Only the grid and cell arrays that may be tags are kept; whatever else stands in the file is skipped by its
// size.
#include <cctype>
#include <map>

#include "runtime/mesh/readers.hpp"
#include "runtime/mesh/text_cursor.hpp"
#include "runtime/mesh/vtk_grid.hpp"
#include "runtime/mesh/vtk_values.hpp"

namespace proxima::mesh {
namespace {

constexpr std::string_view kTitle = "# vtk DataFile Version ";

std::string lower_case(std::string_view word) {
  std::string result;
  for (const unsigned char letter : word) result += static_cast<char>(std::tolower(letter));
  return result;
}

class Reader {
 public:
  Reader(const std::string& file, std::string_view content) : file_(file), cursor_(file, content) {}

  Mesh read() {
    read_header();
    while (!cursor_.at_end()) {
      const auto keyword = lower_case(cursor_.word("a section"));
      const auto section = sections().find(keyword);
      if (section == sections().end()) cursor_.fail("found '{}' where a section should begin", printable(keyword));
      if (binary_) cursor_.set_place("section " + keyword);
      (this->*section->second)();
    }
    if (!cells_seen_) cursor_.fail("there is no CELLS section; an unstructured grid is needed");
    if (!types_seen_) cursor_.fail("the file ends before CELL_TYPES; it is cut short");
    return to_mesh(grid_, file_);
  }

 private:
  using Section = void (Reader::*)();

  static const std::map<std::string, Section>& sections() {
    static const std::map<std::string, Section> all = {
        {"points", &Reader::read_points},
        {"cells", &Reader::read_cells},
        {"cell_types", &Reader::read_types},
        {"cell_data", &Reader::begin_cell_data},
        {"point_data", &Reader::begin_point_data},
        {"scalars", &Reader::read_scalars},
        {"color_scalars", &Reader::skip_colours},
        {"lookup_table", &Reader::skip_lookup_table},
        {"vectors", &Reader::skip_tuples<3>},
        {"normals", &Reader::skip_tuples<3>},
        {"tensors", &Reader::skip_tuples<9>},
        {"tensors6", &Reader::skip_tuples<6>},
        {"global_ids", &Reader::skip_tuples<1>},
        {"pedigree_ids", &Reader::skip_tuples<1>},
        {"edge_flags", &Reader::skip_tuples<1>},
        {"texture_coordinates", &Reader::skip_texture_coordinates},
        {"field", &Reader::read_field},
        {"metadata", &Reader::skip_metadata},
    };
    return all;
  }

  void read_header() {
    const auto title = cursor_.line();
    if (!title.starts_with(kTitle)) cursor_.fail("this is no legacy VTK file: it should begin with '{}'", kTitle);
    version_ = cursor_.to_real(title.substr(kTitle.size()), "the version");
    cursor_.line();
    const auto encoding = lower_case(cursor_.word("BINARY or ASCII"));
    if (encoding != "binary" && encoding != "ascii")
      cursor_.fail("found '{}' where BINARY or ASCII should stand", printable(encoding));
    binary_ = encoding == "binary";
    const auto dataset = lower_case(cursor_.word("DATASET"));
    const auto form = lower_case(cursor_.word("the form of the data"));
    if (dataset != "dataset" || form != "unstructured_grid")
      cursor_.fail("found '{} {}' where DATASET UNSTRUCTURED_GRID is needed", printable(dataset), printable(form));
  }

  std::size_t count(std::string_view what) {
    const auto number = cursor_.integer(what);
    if (number < 0) cursor_.fail("{} cannot be {}", what, number);
    return static_cast<std::size_t>(number);
  }

  const VtkType& type(std::string_view what) {
    const auto name = cursor_.word(what);
    const auto* found = vtk_type(name);
    if (found == nullptr) found = vtk_type(lower_case(name));
    if (found == nullptr) cursor_.fail("found '{}' where {} should stand, a type of numbers", printable(name), what);
    return *found;
  }

  // The next values, which begin on the next line where they are binary.
  VtkValues values(const VtkType& type, std::size_t tuples, std::size_t components, std::string_view what) {
    constexpr bool kSwap = true;  // legacy files are big-endian
    auto result = no_values(type);
    const auto size = components * (binary_ ? type.size : 1);  // of a tuple, in bytes: at least that
    if (components > cursor_.left() || (size > 0 && tuples > cursor_.left() / size))
      cursor_.fail("{} times {} values of {} are announced, more than the file can hold", tuples, components, what);
    if (binary_) {
      cursor_.line();
      type.append(cursor_.bytes(tuples * size, what), kSwap, result);
      return result;
    }
    for (std::size_t i = 0; i < tuples * components; ++i) {
      if (auto* whole = std::get_if<std::vector<std::int64_t>>(&result))
        whole->push_back(cursor_.integer(what));
      else
        std::get<std::vector<double>>(result).push_back(cursor_.real(what));
    }
    return result;
  }

  std::vector<std::int64_t> whole_values(const VtkType& type, std::size_t number, std::string_view what) {
    if (!type.whole) cursor_.fail("{} are of the type {}; whole numbers are needed", what, type.name);
    return std::get<std::vector<std::int64_t>>(values(type, number, 1, what));
  }

  void read_points() {
    const auto number = count("the number of points");
    const auto& kind = type("the type of coordinates");
    grid_.points = to_real(values(kind, number, 3, "a coordinate"));
  }

  void read_cells() {
    cells_seen_ = true;
    const auto cells = count("the number of cells"), size = count("the size of the cell list");
    version_ < 5 ? read_cell_list(cells, size) : read_offsets(cells, size);
  }

  // Before version 5: for each cell the number of its corners and the corners, `size` integers in all.
  void read_cell_list(std::size_t cells, std::size_t size) {
    grid_.corners.clear();
    grid_.ends.clear();
    const auto list = whole_values(*vtk_type("int"), size, "the corners of a cell");
    auto next = list.begin();
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const auto left = list.end() - next;
      if (left == 0 || *next < 0 || *next >= left)
        cursor_.fail("cell {} has {} corners, but the CELLS line leaves room for {}", cell, left == 0 ? 0 : *next,
                     left - 1);
      const auto corners = *next++;
      grid_.corners.insert(grid_.corners.end(), next, next + corners);
      grid_.ends.push_back(static_cast<std::int64_t>(grid_.corners.size()));
      next += corners;
    }
    if (next != list.end())
      cursor_.fail("the CELLS line announces {} numbers, the cells hold {}", size, next - list.begin());
  }

  // Since version 5: where the corners of each cell begin, with one more for the end, and the corners.
  void read_offsets(std::size_t offsets, std::size_t corners) {
    expect("offsets");
    const auto& offset_type = type("the type of offsets");
    grid_.ends = whole_values(offset_type, offsets, "an offset of a cell");
    expect("connectivity");
    const auto& corner_type = type("the type of corners");
    grid_.corners = whole_values(corner_type, corners, "a corner of a cell");
    if (grid_.ends.empty()) return;
    if (grid_.ends.front() != 0) cursor_.fail("the corners of cell 0 begin at {}, not at 0", grid_.ends.front());
    grid_.ends.erase(grid_.ends.begin());
  }

  void expect(std::string_view keyword) {
    const auto found = lower_case(cursor_.word(keyword));
    if (found != keyword) cursor_.fail("found '{}' where {} should stand", printable(found), keyword);
  }

  void read_types() {
    types_seen_ = true;
    const auto number = count("the number of cell types");
    if (!cells_seen_ || number != grid_.ends.size()) cursor_.fail("CELL_TYPES should have {} cells", grid_.ends.size());
    grid_.types = whole_values(*vtk_type("int"), number, "the type of a cell");
  }

  void begin_cell_data() {
    tuples_ = count("the number of cells with data");
    of_cells_ = true;
  }
  void begin_point_data() {
    tuples_ = count("the number of points with data");
    of_cells_ = false;
  }

  void keep(std::string_view name, std::size_t components, VtkValues data) {
    if (of_cells_ && components == 1 && may_be_tags(name))
      grid_.tag_arrays[std::string(name)] = to_real(std::move(data));
  }

  void read_scalars() {
    const auto name = cursor_.word("the name of an array");
    const auto& kind = type("the type of an array");
    const auto components = cursor_.more_on_line() ? count("a number of components") : 1;
    expect("lookup_table");
    cursor_.word("the name of a lookup table");
    keep(name, components, values(kind, tuples_, components, "a value of an array"));
  }

  void skip_colours() {
    cursor_.word("the name of an array");
    const auto components = count("a number of components");
    values(*vtk_type(binary_ ? "unsigned_char" : "float"), tuples_, components, "a colour");
  }
  void skip_lookup_table() {
    cursor_.word("the name of a lookup table");
    const auto size = count("the size of a lookup table");
    values(*vtk_type(binary_ ? "unsigned_char" : "float"), size, 4, "a colour");
  }
  template <std::size_t components>
  void skip_tuples() {
    cursor_.word("the name of an array");
    const auto& kind = type("the type of an array");
    values(kind, tuples_, components, "a value of an array");
  }
  void skip_texture_coordinates() {
    cursor_.word("the name of an array");
    const auto components = count("a number of components");
    const auto& kind = type("the type of an array");
    values(kind, tuples_, components, "a texture coordinate");
  }

  void read_field() {
    cursor_.word("the name of a field");
    const auto arrays = count("a number of arrays");
    for (std::size_t i = 0; i < arrays; ++i) {
      auto name = cursor_.word("the name of an array");
      if (lower_case(name) == "metadata") {
        skip_metadata();
        name = cursor_.word("the name of an array");
      }
      const auto components = count("a number of components"), tuples = count("a number of tuples");
      const auto& kind = type("the type of an array");
      keep(name, components, values(kind, tuples, components, "a value of an array"));
    }
  }

  // Up to an empty line.
  void skip_metadata() {
    cursor_.line();
    while (!cursor_.line().empty()) {
    }
  }

  const std::string& file_;
  TextCursor cursor_;
  double version_ = 0;
  bool binary_ = false, cells_seen_ = false, types_seen_ = false;
  bool of_cells_ = false;  // what arrays belong to from here on
  std::size_t tuples_ = 0;
  VtkGrid grid_;
};

}  // namespace

Mesh read_legacy_vtk(const std::string& file, std::string_view content) { return Reader(file, content).read(); }

}  // namespace proxima::mesh
