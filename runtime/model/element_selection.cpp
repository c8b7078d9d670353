#include "runtime/model/element_selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "compiler/support/error.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/model/select.hpp"
#include "runtime/model/shapes.hpp"
#include "runtime/model/value_files.hpp"

namespace proxima::model {
namespace {

using Numbers = std::vector<std::int32_t>;

mesh::Elements from_triangles(const mesh::Elements& triangles, mesh::Shape shape) {
  return shape == mesh::Shape::hinge ? mesh::hinges_of(triangles) : mesh::edges_of(triangles);
}

// Hinges and edges of triangles have the tag of a group as those made from its triangles alone.
Numbers made_in_group(const Candidates& candidates, const mesh::Elements& part) {
  const auto& all = candidates.elements;
  Numbers result;
  std::size_t at = 0;  // both are in the order of their first two nodes
  for (std::size_t e = 0; e < part.count(); ++e) {
    while (!std::equal(part.of(e).begin(), part.of(e).begin() + 2, all.of(at).begin())) ++at;
    result.push_back(static_cast<std::int32_t>(at));
  }
  return result;
}

class Selector {
 public:
  Selector(const Candidates& candidates, const mesh::Mesh& mesh, const std::string& where)
      : candidates_(candidates), mesh_(mesh), where_(where) {}

  Numbers operator()(const All&) const {
    Numbers result(candidates_.elements.count());
    std::iota(result.begin(), result.end(), 0);
    return result;
  }

  Numbers operator()(const Group& group) const {
    const auto tagged = candidates_.listed ? candidates_.elements.shape : mesh::Shape::triangle;
    const auto& [elements, tags] = mesh::block(mesh_, tagged);
    const std::int32_t tag = tag_of(group, mesh::shape_row(tagged).dimension);
    Numbers result;
    for (std::size_t e = 0; e < tags.size(); ++e)
      if (tags[e] == tag) result.push_back(static_cast<std::int32_t>(e));
    if (candidates_.listed) return result;
    return made_in_group(candidates_, from_triangles(mesh::subset(elements, result), candidates_.elements.shape));
  }

  Numbers operator()(const std::filesystem::path& file) const {
    const auto kind = mesh::shape_row(candidates_.elements.shape).plural;
    Numbers result;
    for (const double number : read_numbers(file)) {
      if (!(number >= 0 && number < static_cast<double>(candidates_.elements.count()) && number == std::floor(number)))
        fail("{}: found {}, needed are numbers of {}, 0 to {}", file.string(), number, kind,
             static_cast<std::int64_t>(candidates_.elements.count()) - 1);
      result.push_back(static_cast<std::int32_t>(number));
    }
    std::sort(result.begin(), result.end());
    if (const auto twice = std::adjacent_find(result.begin(), result.end()); twice != result.end())
      fail("{}: {} {} is listed twice", file.string(), mesh::shape_row(candidates_.elements.shape).label, *twice);
    if (result.empty()) fail("{}: is empty, numbers of {} are needed", file.string(), kind);
    return result;
  }

  Numbers operator()(const Expression& expression) const {
    const auto values = evaluate(expression, candidates_.centroids, where_);
    Numbers result;
    for (std::size_t e = 0; e < values.size(); ++e)
      if (values[e] != 0) result.push_back(static_cast<std::int32_t>(e));
    return result;
  }

  Numbers operator()(const auto& shape) const {
    return points_inside(shape, candidates_.centroids, mesh::bounding_box(mesh_));
  }

 private:
  std::int32_t tag_of(const Group& group, int dimension) const {
    if (const auto* tag = std::get_if<std::int32_t>(&group.id)) return *tag;
    const auto& name = std::get<std::string>(group.id);
    const auto& found = named_group(mesh_.groups, name, where_);
    if (found.dimension != dimension)
      fail("{}: the elements of group '{}' have dimension {}, those of the material {}; 'elements' says which it is of",
           where_, name, found.dimension, dimension);
    return found.tag;
  }

  const Candidates& candidates_;
  const mesh::Mesh& mesh_;
  const std::string& where_;
};

std::string known_tags(const mesh::Mesh& mesh) {
  std::set<std::int32_t> known;
  for (const auto& block : mesh.blocks) known.insert(block.tags.begin(), block.tags.end());
  return fmt::format("{}", fmt::join(known, ", "));
}

}  // namespace

std::vector<Vector3> centroids(const mesh::Elements& elements, const std::vector<Vector3>& nodes) {
  std::vector<Vector3> result(elements.count());
  for (std::size_t e = 0; e < result.size(); ++e)
    for (const auto node : elements.of(e))
      for (int i = 0; i < 3; ++i) result[e][i] += nodes[node][i] / elements.corners;
  return result;
}

Candidates candidates(const mesh::Mesh& mesh, mesh::Shape shape) {
  Candidates result;
  const bool made = shape == mesh::Shape::hinge ||
                    (shape == mesh::Shape::edge && mesh::elements(mesh, mesh::Shape::edge).count() == 0);
  result.listed = !made;
  result.elements =
      made ? from_triangles(mesh::elements(mesh, mesh::Shape::triangle), shape) : mesh::elements(mesh, shape);
  result.centroids = centroids(result.elements, mesh.nodes);
  return result;
}

std::vector<mesh::Shape> default_shapes(const mesh::Mesh& mesh) {
  using enum mesh::Shape;
  const auto has = [&](mesh::Shape shape) { return mesh::elements(mesh, shape).count() > 0; };
  std::vector<mesh::Shape> result;
  for (const auto solid : {tetrahedron, hexahedron})
    if (has(solid)) result.push_back(solid);
  if (result.empty()) result.push_back(has(triangle) ? triangle : edge);
  return result;
}

std::vector<std::int32_t> select_elements(const ElementSelection& selection, const Candidates& candidates,
                                          const mesh::Mesh& mesh, const std::string& where) {
  return std::visit(Selector(candidates, mesh, where), selection);
}

void fail_empty(const ElementSelection& selection, const std::string& what, const mesh::Mesh& mesh,
                const std::string& where) {
  const auto bounds = mesh::bounding_box(mesh);
  if (const auto* box = std::get_if<BoxShape>(&selection))
    fail("{}: no {}'s centroid {}", where, what, outside_text(*box, bounds));
  if (const auto* sphere = std::get_if<SphereShape>(&selection))
    fail("{}: no {}'s centroid {}", where, what, outside_text(*sphere, bounds));
  if (const auto* expression = std::get_if<Expression>(&selection))
    fail("{}: the expression '{}' is 0 at every {}'s centroid", where, expression->text, what);
  if (const auto* group = std::get_if<Group>(&selection)) {
    if (const auto* tag = std::get_if<std::int32_t>(&group->id))
      fail("{}: no {} has tag {}; the tags of this mesh are {}", where, what, *tag, known_tags(mesh));
    fail("{}: no {} is in group '{}'", where, what, std::get<std::string>(group->id));
  }
  fail("{}: the mesh has no {}", where, what);
}

}  // namespace proxima::model
