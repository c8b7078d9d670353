// Gmsh 4.1: nodes and elements in blocks, one for each geometric entity; physical groups belong to entities. Text and
// binary hold the same values in the same order.
#include <cstdlib>

#include "runtime/mesh/msh_input.hpp"

namespace proxima::mesh {
namespace {

void skip_integers(MshInput& input, std::int64_t count, const char* what) {
  for (std::int64_t i = 0; i < count; ++i) input.integer(what);
}

// Points, curves, surfaces and volumes; `partitioned` ones carry their parent and their partitions as well.
void read_entity_lists(MshInput& input, MshContent& content, bool partitioned) {
  std::array<std::int64_t, 4> counts;
  for (auto& count : counts) count = input.size("a number of entities");
  for (int dimension = 0; dimension < 4; ++dimension) {
    for (std::int64_t i = 0; i < counts[dimension]; ++i) {
      const auto entity = input.integer("the tag of an entity");
      if (partitioned) {
        skip_integers(input, 2, "the parent of an entity");
        skip_integers(input, input.size("a number of partitions"), "a partition");
      }
      const int coordinates = dimension == 0 ? 3 : 6;  // a position, or a bounding box
      for (int k = 0; k < coordinates; ++k) input.real("a coordinate of an entity");
      const auto groups = input.size("a number of physical tags");
      for (std::int64_t k = 0; k < groups; ++k) {
        // Negative where the group holds the entity reversed.
        const std::int64_t group = std::abs(std::int64_t{input.integer("a physical tag")});
        content.physical.try_emplace({dimension, entity}, static_cast<std::int32_t>(group));
      }
      if (dimension > 0) skip_integers(input, input.size("a number of bounding entities"), "a bounding entity");
    }
  }
  input.expect_end();
}

void read_entities(MshInput& input, MshContent& content) { read_entity_lists(input, content, false); }

void read_partitioned_entities(MshInput& input, MshContent& content) {
  input.size("the number of partitions");
  const auto ghosts = input.size("the number of ghost entities");
  for (std::int64_t i = 0; i < ghosts; ++i) skip_integers(input, 2, "a ghost entity");
  read_entity_lists(input, content, true);
}

void read_nodes(MshInput& input, MshContent& content) {
  const auto blocks = input.size("the number of node blocks");
  const auto announced = input.size("the number of nodes");
  input.size("the smallest node tag");
  input.size("the largest node tag");
  std::int64_t found = 0;
  for (std::int64_t block = 0; block < blocks; ++block) {
    const auto dimension = input.integer("the dimension of a node block");
    input.integer("the entity of a node block");
    const auto parametric = input.integer("whether nodes are parametric");
    const auto count = input.size("the number of nodes in a block");
    if (dimension < 0 || dimension > 3 || parametric < 0 || parametric > 1) {
      input.fail("a node block of dimension {} and parametric flag {} makes no sense", dimension, parametric);
    }
    std::vector<std::int64_t> tags;
    // Not reserved: the count may be false. NOLINTNEXTLINE(performance-inefficient-vector-operation)
    for (std::int64_t i = 0; i < count; ++i) tags.push_back(input.size("a node tag"));
    for (const auto tag : tags) {
      Vector3 x;
      for (auto& coordinate : x) coordinate = input.real("a coordinate");
      for (int k = 0; k < parametric * dimension; ++k) input.real("a parametric coordinate");
      content.mesh.add_node(tag, x);
    }
    found += count;
  }
  if (found != announced) input.fail("{} nodes are announced, the blocks hold {}", announced, found);
  input.expect_end();
}

void read_elements(MshInput& input, MshContent& content) {
  const auto blocks = input.size("the number of element blocks");
  const auto announced = input.size("the number of elements");
  input.size("the smallest element tag");
  input.size("the largest element tag");
  std::int64_t found = 0;
  for (std::int64_t block = 0; block < blocks; ++block) {
    input.integer("the dimension of an element block");
    const auto entity = input.integer("the entity of an element block");
    const auto& kind = msh_element_kind(input, input.integer("the element type of a block"));
    const auto count = input.size("the number of elements in a block");
    for (std::int64_t i = 0; i < count; ++i) {
      const auto element = input.size("an element tag");
      std::array<std::int64_t, kMostMshNodes> nodes{};
      for (int k = 0; k < kind.nodes; ++k) nodes[k] = input.size("a node of an element");
      content.mesh.add(kind, element, nodes, entity);
    }
    found += count;
  }
  if (found != announced) input.fail("{} elements are announced, the blocks hold {}", announced, found);
  input.expect_end();
}

}  // namespace

const SectionReaders& sections_of_msh_41() {
  static const SectionReaders readers = {{"Entities", read_entities},
                                         {"PartitionedEntities", read_partitioned_entities},
                                         {"Nodes", read_nodes},
                                         {"Elements", read_elements},
                                         {"PhysicalNames", read_physical_names}};
  return readers;
}

}  // namespace proxima::mesh
