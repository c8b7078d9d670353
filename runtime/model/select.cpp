#include "runtime/model/select.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <type_traits>

#include "compiler/support/error.hpp"
#include "compiler/support/nearest.hpp"

namespace proxima::model {
namespace {

std::string point_text(const Vector3& point) { return fmt::format("[{:g}, {:g}, {:g}]", point[0], point[1], point[2]); }

double slack(const mesh::Mesh& mesh) {
  const auto box = mesh::bounding_box(mesh);
  return 1e-9 * std::hypot(box.upper[0] - box.lower[0], box.upper[1] - box.lower[1], box.upper[2] - box.lower[2]);
}

bool contains(const BoxShape& box, const Vector3& point, double margin) {
  for (int i = 0; i < 3; ++i) {
    if (point[i] < box.lower[i] - margin || point[i] > box.upper[i] + margin) return false;
  }
  return true;
}

bool contains(const SphereShape& sphere, const Vector3& point, double margin) {
  const Vector3& c = sphere.centre;
  return std::hypot(point[0] - c[0], point[1] - c[1], point[2] - c[2]) <= sphere.radius + margin;
}

std::string shape_text(const BoxShape& box) {
  return fmt::format("the box {} to {}", point_text(box.lower), point_text(box.upper));
}

std::string shape_text(const SphereShape& sphere) {
  return fmt::format("the sphere of radius {:g} about {}", sphere.radius, point_text(sphere.centre));
}

// Numbers of the points inside a shape.
template <class Shape, class PointOf>
std::vector<std::int32_t> inside(const Shape& shape, const mesh::Mesh& mesh, std::size_t count, PointOf point_of,
                                 const char* what, const std::string& where) {
  std::vector<std::int32_t> result;
  const double margin = slack(mesh);
  for (std::size_t i = 0; i < count; ++i) {
    if (contains(shape, point_of(i), margin)) result.push_back(static_cast<std::int32_t>(i));
  }
  if (result.empty()) {
    const auto bounds = mesh::bounding_box(mesh);
    fail("{}: no {} is inside {}; the mesh extends from {} to {}", where, what, shape_text(shape),
         point_text(bounds.lower), point_text(bounds.upper));
  }
  return result;
}

std::int32_t tag_of(const Group& group, const mesh::Mesh& mesh, const std::string& where) {
  if (const auto* tag = std::get_if<std::int32_t>(&group.id)) return *tag;
  const auto& name = std::get<std::string>(group.id);
  const auto found = mesh.groups.find(name);
  if (found != mesh.groups.end()) return found->second.tag;
  if (mesh.groups.empty()) fail("{}: there is no group '{}'; the groups of this mesh have no names", where, name);
  std::vector<std::string> known;
  known.reserve(mesh.groups.size());
  for (const auto& entry : mesh.groups) known.push_back(entry.first);
  const auto nearest = nearest_name(name, known);
  if (!nearest.empty()) fail("{}: there is no group '{}' in the mesh; did you mean '{}'?", where, name, nearest);
  fail("{}: there is no group '{}' in the mesh; it has {}", where, name, fmt::join(known, ", "));
}

std::vector<std::int32_t> tets_with_tag(std::int32_t tag, const mesh::Mesh& mesh, const std::string& where) {
  std::vector<std::int32_t> result;
  const auto& tags = mesh::block(mesh, mesh::Shape::tetrahedron).tags;
  for (std::size_t t = 0; t < tags.size(); ++t) {
    if (tags[t] == tag) result.push_back(static_cast<std::int32_t>(t));
  }
  if (result.empty()) {
    const std::set<std::int32_t> known(tags.begin(), tags.end());
    fail("{}: no tetrahedron has tag {}; the tags of this mesh are {}", where, tag, fmt::join(known, ", "));
  }
  return result;
}

std::vector<std::int32_t> all(std::size_t count) {
  std::vector<std::int32_t> result(count);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

void make_increasing(std::vector<std::int32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

std::vector<std::int32_t> listed_nodes(const std::vector<std::int32_t>& numbers, const mesh::Repairs& repairs,
                                       const std::string& where) {
  if (numbers.empty()) fail("{}: the list of nodes is empty", where);
  std::vector<std::int32_t> result;
  for (const auto number : numbers) {
    if (static_cast<std::size_t>(number) >= repairs.node_map.size()) {
      fail("{}: node {} does not exist, the mesh has nodes 0 to {}", where, number, repairs.node_map.size() - 1);
    }
    if (repairs.node_map[number] < 0) fail("{}: node {} belongs to no tetrahedron and was left out", where, number);
    result.push_back(repairs.node_map[number]);
  }
  make_increasing(result);
  return result;
}

}  // namespace

std::vector<std::int32_t> select_nodes(const Selection& selection, const mesh::Mesh& mesh, const mesh::Repairs& repairs,
                                       const std::string& where) {
  return std::visit(
      [&](const auto& chosen) -> std::vector<std::int32_t> {
        using Chosen = std::decay_t<decltype(chosen)>;
        if constexpr (std::is_same_v<Chosen, All>) {
          return all(mesh.nodes.size());
        } else if constexpr (std::is_same_v<Chosen, Group>) {
          std::vector<std::int32_t> result;
          for (const auto tet : tets_with_tag(tag_of(chosen, mesh, where), mesh, where)) {
            const auto nodes = mesh::elements(mesh, mesh::Shape::tetrahedron).of(static_cast<std::size_t>(tet));
            result.insert(result.end(), nodes.begin(), nodes.end());
          }
          make_increasing(result);
          return result;
        } else if constexpr (std::is_same_v<Chosen, std::vector<std::int32_t>>) {
          return listed_nodes(chosen, repairs, where);
        } else {
          return inside(chosen, mesh, mesh.nodes.size(), [&](std::size_t i) { return mesh.nodes[i]; }, "node", where);
        }
      },
      selection);
}

std::vector<std::int32_t> select_tets(const Selection& selection, const mesh::Mesh& mesh, const std::string& where) {
  const auto& tets = mesh::elements(mesh, mesh::Shape::tetrahedron);
  const auto centroid = [&](std::size_t tet) {
    Vector3 sum{};
    for (const auto node : tets.of(tet)) {
      for (int i = 0; i < 3; ++i) sum[i] += mesh.nodes[node][i] / 4;
    }
    return sum;
  };
  return std::visit(
      [&](const auto& chosen) -> std::vector<std::int32_t> {
        using Chosen = std::decay_t<decltype(chosen)>;
        if constexpr (std::is_same_v<Chosen, All>) {
          return all(tets.count());
        } else if constexpr (std::is_same_v<Chosen, Group>) {
          return tets_with_tag(tag_of(chosen, mesh, where), mesh, where);
        } else if constexpr (std::is_same_v<Chosen, std::vector<std::int32_t>>) {
          throw std::logic_error("a list of nodes selects no tets");  // the scene's form does not allow it
        } else {
          return inside(chosen, mesh, tets.count(), centroid, "tetrahedron's centroid", where);
        }
      },
      selection);
}

}  // namespace proxima::model
