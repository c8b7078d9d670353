// Gmsh 4.1 in text: one entity of the elements' dimension, with its physical group, for each shape and tag.
#include <iterator>
#include <map>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {
namespace {

// Gmsh's number for each shape; it orders the corners as we do.
int element_type(Shape shape) {
  static const std::map<Shape, int> types = {
      {Shape::edge, 1}, {Shape::triangle, 2}, {Shape::tetrahedron, 4}, {Shape::hexahedron, 5}};
  return types.at(shape);
}

// The elements of one block with one tag.
struct Entity {
  int dimension, number;  // numbered from 1 among those of its dimension
  std::int32_t tag;
};

// Consecutive elements of one entity: written so, a file keeps the order of the elements.
struct Run {
  const Elements* elements;
  Entity entity;
  std::size_t begin, end;
};

struct Content {
  std::vector<Entity> entities;
  std::vector<Run> runs;
};

Content content_of(const Mesh& mesh, const std::string& file) {
  Content result;
  int last[4] = {};  // numbers given, by dimension
  for (const auto& [elements, tags] : mesh.blocks) {
    if (tags.size() != elements.count()) throw std::logic_error("write_msh: one tag for each element is needed");
    const int dimension = shape_row(elements.shape).dimension;
    std::map<std::int32_t, Entity> known;
    for (std::size_t e = 0; e < tags.size(); ++e) {
      if (tags[e] < 0) fail("{}: cannot be written: Gmsh has no negative physical tags ({})", file, tags[e]);
      const auto [entity, is_new] = known.try_emplace(tags[e], Entity{dimension, 0, tags[e]});
      if (is_new) {
        entity->second.number = ++last[dimension];
        result.entities.push_back(entity->second);
      }
      if (e == 0 || tags[e] != tags[e - 1]) result.runs.push_back({&elements, entity->second, e, e});
      result.runs.back().end = e + 1;
    }
  }
  return result;
}

using Put = std::back_insert_iterator<std::string>;

void put_names(const Mesh& mesh, Put put) {
  if (mesh.groups.empty()) return;
  fmt::format_to(put, "$PhysicalNames\n{}\n", mesh.groups.size());
  for (const auto& [name, group] : mesh.groups) fmt::format_to(put, "{} {} \"{}\"\n", group.dimension, group.tag, name);
  fmt::format_to(put, "$EndPhysicalNames\n");
}

// Tag 0 means no group. Bounding boxes are the mesh's: Gmsh asks for no better.
void put_entities(const Mesh& mesh, const std::vector<Entity>& entities, Put put) {
  const auto box = bounding_box(mesh);
  int counts[4] = {};
  for (const auto& entity : entities) ++counts[entity.dimension];
  fmt::format_to(put, "$Entities\n{}\n", fmt::join(counts, " "));
  for (int dimension = 1; dimension <= 3; ++dimension) {
    for (const auto& entity : entities) {
      if (entity.dimension != dimension) continue;
      fmt::format_to(put, "{} {} {} ", entity.number, fmt::join(box.lower, " "), fmt::join(box.upper, " "));
      entity.tag == 0 ? fmt::format_to(put, "0 0\n") : fmt::format_to(put, "1 {} 0\n", entity.tag);
    }
  }
  fmt::format_to(put, "$EndEntities\n");
}

void put_nodes(const Mesh& mesh, const std::vector<Entity>& entities, Put put) {
  const auto nodes = mesh.nodes.size();
  fmt::format_to(put, "$Nodes\n1 {} 1 {}\n{} 1 0 {}\n", nodes, nodes, entities.front().dimension, nodes);
  for (std::size_t i = 1; i <= nodes; ++i) fmt::format_to(put, "{}\n", i);
  for (const auto& x : mesh.nodes) fmt::format_to(put, "{}\n", fmt::join(x, " "));
  fmt::format_to(put, "$EndNodes\n");
}

void put_elements(const std::vector<Run>& runs, Put put) {
  std::size_t total = 0, number = 0;
  for (const auto& run : runs) total += run.end - run.begin;
  fmt::format_to(put, "$Elements\n{} {} 1 {}\n", runs.size(), total, total);
  for (const auto& [elements, entity, begin, end] : runs) {
    fmt::format_to(put, "{} {} {} {}\n", entity.dimension, entity.number, element_type(elements->shape), end - begin);
    for (std::size_t e = begin; e < end; ++e) {
      fmt::format_to(put, "{}", ++number);
      for (const auto node : elements->of(e)) fmt::format_to(put, " {}", node + 1);
      fmt::format_to(put, "\n");
    }
  }
  fmt::format_to(put, "$EndElements\n");
}

}  // namespace

void write_msh(const std::filesystem::path& file, const Mesh& mesh) {
  const auto [entities, runs] = content_of(mesh, file.string());
  if (entities.empty()) throw std::logic_error("write_msh: a mesh without elements");
  std::string text = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
  const auto put = std::back_inserter(text);
  put_names(mesh, put);
  put_entities(mesh, entities, put);
  put_nodes(mesh, entities, put);
  put_elements(runs, put);
  write_file(file, text);
}

}  // namespace proxima::mesh
