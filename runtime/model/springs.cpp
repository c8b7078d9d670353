#include "runtime/model/springs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/support/error.hpp"
#include "runtime/mesh/point_tree.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/builtin_energies.hpp"
#include "runtime/model/select.hpp"

namespace proxima::model {
namespace {

using Numbers = std::vector<std::int32_t>;

double distance(const Vector3& a, const Vector3& b) { return mesh::norm(mesh::minus(a, b)); }

std::vector<Vector3> positions_of(const Numbers& nodes, const mesh::Mesh& mesh) {
  std::vector<Vector3> result;
  result.reserve(nodes.size());
  for (const auto node : nodes) result.push_back(mesh.nodes[node]);
  return result;
}

Region region(const std::string& name, std::shared_ptr<const ir::Energy> energy, int corners) {
  Region result;
  result.name = name;
  result.elements = {mesh::Shape::stencil, corners, {}};
  result.parameters.resize(energy->parameters.size());
  result.energy = std::move(energy);
  return result;
}

// Springs of a length, and those whose ends are, or want to be, in one place: the direction of no length has no
// derivative, so they have an energy of their own.
void add_spring(const SpringSource& source, const Numbers& from, const Numbers& to, const std::string& where,
                Model& model) {
  Numbers both;
  std::set_intersection(from.begin(), from.end(), to.begin(), to.end(), std::back_inserter(both));
  if (!both.empty())
    fail("{}: {} is among both ends; a spring joins two nodes", where,
         node_name(model.bodies, static_cast<std::size_t>(both[0])));
  auto springs = region(source.name, spring_energy(), 2), joints = region(source.name, joint_energy(), 2);
  springs.parameters[0] = joints.parameters[0] = {source.stiffness};
  const mesh::PointTree ends(positions_of(to, model.mesh));
  for (const auto node : from) {
    const auto& position = model.mesh.nodes[node];
    const auto other = to[ends.nearest(position)];
    const double length = source.rest.value_or(distance(position, model.mesh.nodes[other]));
    auto& elements = length == 0 ? joints.elements : springs.elements;
    elements.nodes.insert(elements.nodes.end(), {node, other});
    if (length > 0) springs.parameters[1].push_back(length);
  }
  for (auto* made : {&springs, &joints})
    if (made->elements.count() > 0) model.regions.push_back(std::move(*made));
}

void add_attachment(const AttachmentSource& source, const Numbers& nodes, Model& model) {
  auto result = region(source.name, anchor_energy(), 1);
  result.elements.nodes = nodes;
  result.parameters[0] = {source.stiffness};
  for (const auto node : nodes)
    for (std::size_t i = 0; i < 3; ++i)
      result.parameters[1 + i].push_back(source.to.value_or(model.mesh.nodes[node])[i]);
  model.regions.push_back(std::move(result));
}

}  // namespace

void add_springs(const Scene& scene, Model& model) {
  const auto key = [&](const char* list, std::size_t i) {
    return fmt::format("{}: {}[{}]", scene.file.string(), list, i);
  };
  for (std::size_t i = 0; i < scene.springs.size(); ++i) {
    const auto& source = scene.springs[i];
    const auto where = key("springs", i);
    add_spring(source, select_nodes(source.from, model, where + ".from"), select_nodes(source.to, model, where + ".to"),
               where, model);
  }
  for (std::size_t i = 0; i < scene.attachments.size(); ++i) {
    const auto& source = scene.attachments[i];
    add_attachment(source, select_nodes(source.select, model, key("attachments", i) + ".select"), model);
  }
}

}  // namespace proxima::model
