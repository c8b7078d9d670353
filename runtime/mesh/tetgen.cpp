// TetGen's pair of text files: .node (number, x, y, z, ...) and .ele (number, four nodes, attributes). The nodes may be
// numbered from 0, from 1 or in any other way. The last attribute of an element, where TetGen's -A puts the region,
// becomes its tag.
#include <cmath>
#include <limits>

#include "compiler/support/error.hpp"
#include "runtime/mesh/numbered_mesh.hpp"
#include "runtime/mesh/readers.hpp"
#include "runtime/mesh/text_cursor.hpp"

namespace proxima::mesh {
namespace {

using Words = std::vector<std::string_view>;

// A .node/.ele pair holds no other kind.
const ElementKind kTetrahedra = {0, 4, "tetrahedra", Shape::tetrahedron, {0, 1, 2, 3}};

// The next line of numbers, `least` or more.
void next_record(TextCursor& cursor, Words& words, std::size_t least, const char* what) {
  if (!cursor.record(words)) cursor.fail("the file ends where {} should follow; it is cut short", what);
  if (words.size() < least) cursor.fail("{} needs at least {} numbers, found {}", what, least, words.size());
}

// A number of further fields that a header states at `place`; 0 where it stops before.
std::size_t extra_fields(const TextCursor& cursor, const Words& header, std::size_t place, const char* what) {
  if (header.size() <= place) return 0;
  const auto count = cursor.to_integer(header[place], what);
  if (count < 0 || count > 1000) cursor.fail("{} cannot be {}", what, count);
  return static_cast<std::size_t>(count);
}

void read_nodes(const std::string& file, std::string_view text, NumberedMesh& mesh) {
  TextCursor cursor(file, text);
  Words words;
  next_record(cursor, words, 1, "the line with the number of nodes");
  const auto count = cursor.to_integer(words[0], "the number of nodes");
  if (words.size() > 1 && cursor.to_integer(words[1], "the dimension") != 3) {
    cursor.fail("the nodes have dimension {}; 3 is needed", words[1]);
  }
  const auto fields = 4 + extra_fields(cursor, words, 2, "the number of attributes of a node") +
                      extra_fields(cursor, words, 3, "the number of boundary markers of a node");
  for (std::int64_t i = 0; i < count; ++i) {
    next_record(cursor, words, fields, "a node");
    const auto number = cursor.to_integer(words[0], "the number of a node");
    mesh.add_node(number,
                  {cursor.to_real(words[1], "x"), cursor.to_real(words[2], "y"), cursor.to_real(words[3], "z")});
  }
}

std::int32_t to_region(const TextCursor& cursor, std::string_view word) {
  // TetGen writes regions as real numbers.
  const auto region = cursor.to_real(word, "the region");
  if (region != std::floor(region) || std::abs(region) > std::numeric_limits<std::int32_t>::max()) {
    cursor.fail("the region of an element must be a whole number, found '{}'", word);
  }
  return static_cast<std::int32_t>(region);
}

void read_elements(const std::string& file, std::string_view text, NumberedMesh& mesh) {
  TextCursor cursor(file, text);
  Words words;
  next_record(cursor, words, 1, "the line with the number of tetrahedra");
  const auto count = cursor.to_integer(words[0], "the number of tetrahedra");
  const auto corners = words.size() > 1 ? cursor.to_integer(words[1], "the nodes per tetrahedron") : 4;
  const auto attributes = extra_fields(cursor, words, 2, "the number of attributes of a tetrahedron");
  if (corners != 4) {
    cursor.fail("tetrahedra of {} nodes; only linear ones, of 4, are read (run TetGen without -o2)", corners);
  }
  const auto fields = 5 + attributes;
  for (std::int64_t i = 0; i < count; ++i) {
    next_record(cursor, words, fields, "a tetrahedron");
    std::array<std::int64_t, 4> nodes;
    for (int k = 0; k < 4; ++k) nodes[k] = cursor.to_integer(words[k + 1], "a node of a tetrahedron");
    mesh.add(kTetrahedra, cursor.to_integer(words[0], "the number of a tetrahedron"), nodes,
             attributes > 0 ? to_region(cursor, words[fields - 1]) : 0);
  }
}

}  // namespace

Mesh read_tetgen(const TetGenPair& pair) {
  NumberedMesh mesh;
  read_nodes(pair.node_file, pair.nodes, mesh);
  read_elements(pair.ele_file, pair.elements, mesh);
  return mesh.finish(pair.ele_file);
}

}  // namespace proxima::mesh
