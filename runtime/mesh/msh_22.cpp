// Gmsh 2.2 (and 2.0, 2.1, whose nodes and elements are the same): counts are text even in binary files, and binary
// elements come in runs of one type. An element's first tag is its physical group.
#include "runtime/mesh/msh_input.hpp"

namespace proxima::mesh {
namespace {

// A count that is a line of text in both encodings; binary values begin right behind its line end.
std::int64_t text_count(MshInput& input, std::string_view what) {
  const auto count = input.text().integer(what);
  if (count < 0) input.fail("{} cannot be {}", what, count);
  if (input.binary()) input.text().line();
  return count;
}

void read_nodes(MshInput& input, MshContent& content) {
  const auto count = text_count(input, "the number of nodes");
  for (std::int64_t i = 0; i < count; ++i) {
    const auto number = input.integer("a node number");
    Vector3 x;
    for (auto& coordinate : x) coordinate = input.real("a coordinate");
    content.mesh.add_node(number, x);
  }
  input.expect_end();
}

void refuse_parametric_nodes(MshInput& input, MshContent&) {
  input.fail("parametric nodes are not read from Gmsh 2 files; save without them (Mesh.SaveParametric = 0) or as 4.1");
}

struct Run {
  std::int32_t type;
  std::int64_t length;
  std::int32_t tags;
};

void read_element(MshInput& input, MshContent& content, std::int64_t element, const Run& run) {
  const auto& kind = msh_element_kind(input, run.type);
  std::int32_t physical = 0;
  for (std::int32_t i = 0; i < run.tags; ++i) {
    const auto tag = input.integer("a tag of an element");
    if (i == 0) physical = tag;
  }
  std::array<std::int64_t, kMostMshNodes> nodes{};
  for (int i = 0; i < kind.nodes; ++i) nodes[i] = input.integer("a node of an element");
  content.mesh.add(kind, element, nodes, physical);
}

void read_elements(MshInput& input, MshContent& content) {
  const auto count = text_count(input, "the number of elements");
  for (std::int64_t i = 0; i < count;) {
    Run run{0, 1, 0};
    std::int64_t element = 0;
    // In text every element states its own type, behind its number.
    if (!input.binary()) element = input.integer("an element number");
    run.type = input.integer("an element type");
    if (input.binary()) run.length = input.integer("the number of elements of one type");
    run.tags = input.integer("the number of tags");
    if (run.length < 0 || run.length > count - i) {
      input.fail("{} elements of type {} are announced, {} are left", run.length, run.type, count - i);
    }
    for (std::int64_t j = 0; j < run.length; ++j) {
      if (input.binary()) element = input.integer("an element number");
      read_element(input, content, element, run);
    }
    i += run.length;
  }
  input.expect_end();
}

}  // namespace

const SectionReaders& sections_of_msh_22() {
  static const SectionReaders readers = {{"Nodes", read_nodes},
                                         {"ParametricNodes", refuse_parametric_nodes},
                                         {"Elements", read_elements},
                                         {"PhysicalNames", read_physical_names}};
  return readers;
}

}  // namespace proxima::mesh
