#include "runtime/mesh/msh_input.hpp"

#include <algorithm>
#include <limits>

namespace proxima::mesh {
namespace {

// Gmsh's element types, from its reference manual, "Legacy formats / node ordering". A quadrangle becomes two
// triangles.
const std::vector<ElementKind> kKinds = {
    {1, 2, "lines", Shape::edge, {0, 1}},
    {2, 3, "triangles", Shape::triangle, {0, 1, 2}},
    {3, 4, "quadrangles", Shape::triangle, {0, 1, 2, 0, 2, 3}},
    {4, 4, "tetrahedra", Shape::tetrahedron, {0, 1, 2, 3}},
    {5, 8, "hexahedra", Shape::hexahedron, {0, 1, 2, 3, 4, 5, 6, 7}},
    {6, 6, "prisms"},
    {7, 5, "pyramids"},
    {15, 1, "points"},
};

// Those of higher order, by the same numbers.
const std::map<std::int32_t, std::string_view> kHigherOrder = {
    {8, "second-order lines"},        {9, "second-order triangles"},    {10, "second-order quadrangles"},
    {11, "second-order tetrahedra"},  {12, "second-order hexahedra"},   {13, "second-order prisms"},
    {14, "second-order pyramids"},    {16, "second-order quadrangles"}, {17, "second-order hexahedra"},
    {18, "second-order prisms"},      {19, "second-order pyramids"},    {20, "third-order triangles"},
    {21, "third-order triangles"},    {22, "fourth-order triangles"},   {23, "fourth-order triangles"},
    {24, "fifth-order triangles"},    {25, "fifth-order triangles"},    {26, "third-order lines"},
    {27, "fourth-order lines"},       {28, "fifth-order lines"},        {29, "third-order tetrahedra"},
    {30, "fourth-order tetrahedra"},  {31, "fifth-order tetrahedra"},   {36, "third-order quadrangles"},
    {37, "fourth-order quadrangles"}, {38, "fifth-order quadrangles"},  {92, "third-order hexahedra"},
    {93, "fourth-order hexahedra"},
};

}  // namespace

const ElementKind& msh_element_kind(MshInput& input, std::int32_t type) {
  const auto kind =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const ElementKind& known) { return known.number == type; });
  if (kind != kKinds.end()) return *kind;
  const auto higher = kHigherOrder.find(type);
  if (higher == kHigherOrder.end()) input.fail("element type {} is not known; linear elements are read", type);
  input.fail("{} (Gmsh element type {}); only linear elements are read: mesh again with 'gmsh -order 1'",
             higher->second, type);
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
    if (dimension < 1 || dimension > 3) continue;
    const Group group{static_cast<int>(dimension), static_cast<std::int32_t>(tag)};
    const auto [known, is_new] =
        content.groups.try_emplace(std::string(rest.substr(open + 1, close - open - 1)), group);
    if (!is_new && known->second.dimension < group.dimension) known->second = group;
  }
  input.expect_end();
}

}  // namespace proxima::mesh
