#include "runtime/mesh/msh_input.hpp"

#include <limits>

namespace proxima::mesh {
namespace {

// Gmsh's element types, from its reference manual, "Legacy formats / node ordering". Nodes a type is what it takes to
// skip one.
const std::map<std::int32_t, MshElementType> kElementTypes = {
    {1, {2, "lines"}},
    {2, {3, "triangles"}},
    {3, {4, "quadrangles"}},
    {4, {4, "tetrahedra"}},
    {5, {8, "hexahedra"}},
    {6, {6, "prisms"}},
    {7, {5, "pyramids"}},
    {8, {3, "second-order lines"}},
    {9, {6, "second-order triangles"}},
    {10, {9, "second-order quadrangles"}},
    {11, {10, "second-order tetrahedra", true}},
    {12, {27, "second-order hexahedra"}},
    {13, {18, "second-order prisms"}},
    {14, {14, "second-order pyramids"}},
    {15, {1, "points"}},
    {16, {8, "second-order quadrangles"}},
    {17, {20, "second-order hexahedra"}},
    {18, {15, "second-order prisms"}},
    {19, {13, "second-order pyramids"}},
    {20, {9, "third-order triangles"}},
    {21, {10, "third-order triangles"}},
    {22, {12, "fourth-order triangles"}},
    {23, {15, "fourth-order triangles"}},
    {24, {15, "fifth-order triangles"}},
    {25, {21, "fifth-order triangles"}},
    {26, {4, "third-order lines"}},
    {27, {5, "fourth-order lines"}},
    {28, {6, "fifth-order lines"}},
    {29, {20, "third-order tetrahedra", true}},
    {30, {35, "fourth-order tetrahedra", true}},
    {31, {56, "fifth-order tetrahedra", true}},
    {92, {64, "third-order hexahedra"}},
    {93, {125, "fourth-order hexahedra"}},
};

}  // namespace

const MshElementType& msh_element_type(MshInput& input, std::int32_t type) {
  const auto entry = kElementTypes.find(type);
  if (entry == kElementTypes.end()) input.fail("element type {} is not known; only linear tetrahedra are used", type);
  if (entry->second.higher_order_tet) {
    input.fail("{} (Gmsh element type {}); only linear ones are read: mesh again with 'gmsh -order 1'",
               entry->second.name, type);
  }
  return entry->second;
}

std::string MshInput::next_section() {
  if (cursor_.at_end()) return {};
  const auto word = cursor_.word("a section");
  if (!word.starts_with('$') || word.starts_with("$End")) {
    fail("found '{}' where a section ($Name) should begin; this is no Gmsh file, or it is damaged", printable(word));
  }
  section_ = word.substr(1);
  if (binary_) cursor_.set_place("section " + std::string(word));
  if (cursor_.line().find_first_not_of(" \t") != std::string_view::npos) {
    fail("something follows ${} on its line", section_);
  }
  return section_;
}

void MshInput::expect_end() {
  const auto expected = "$End" + section_;
  if (cursor_.at_end()) fail("the file ends before {}; it is cut short", expected);
  if (cursor_.word(expected) != expected) fail("the section does not end where its counts say ({} missing)", expected);
}

void MshInput::skip_section() {
  const auto end = "$End" + section_;
  if (!cursor_.skip_past(end)) fail("{} is missing; the file is cut short", end);
}

template <class Value>
Value MshInput::binary_value(std::string_view what) {
  Value value;
  cursor_.bytes(sizeof(Value), what).copy(reinterpret_cast<char*>(&value), sizeof(Value));
  return value;
}

std::int32_t MshInput::integer(std::string_view what) {
  if (binary_) return binary_value<std::int32_t>(what);
  const auto value = cursor_.integer(what);
  if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max()) {
    fail("found {} where {} should stand, a whole number of 32 bits", value, what);
  }
  return static_cast<std::int32_t>(value);
}

std::int64_t MshInput::size(std::string_view what) {
  const auto value = binary_ ? binary_value<std::int64_t>(what) : cursor_.integer(what);
  if (value < 0) fail("found {} where {} should stand, which is not negative", value, what);
  return value;
}

double MshInput::real(std::string_view what) { return binary_ ? binary_value<double>(what) : cursor_.real(what); }

void read_physical_names(MshInput& input, MshContent& content) {
  auto& text = input.text();
  const auto count = text.integer("the number of physical names");
  for (std::int64_t i = 0; i < count; ++i) {
    const auto dimension = text.integer("the dimension of a physical group");
    const auto tag = text.integer("the tag of a physical group");
    const auto rest = text.line();
    const auto open = rest.find('"'), close = rest.rfind('"');
    if (open == rest.npos || close == open) input.fail("the name of a physical group should stand in quotes");
    if (tag < std::numeric_limits<std::int32_t>::min() || tag > std::numeric_limits<std::int32_t>::max()) {
      input.fail("the physical tag {} is out of range", tag);
    }
    if (dimension == 3) {
      content.group_names[std::string(rest.substr(open + 1, close - open - 1))] = static_cast<std::int32_t>(tag);
    }
  }
  input.expect_end();
}

}  // namespace proxima::mesh
