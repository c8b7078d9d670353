#include "runtime/contact/surface_nodes.hpp"

namespace proxima::contact {

std::vector<std::int32_t> surface_nodes(const model::Model& model, std::int32_t body) {
  std::vector<char> chosen(model.mesh.nodes.size());
  const auto mark = [&](std::int32_t node) { chosen[static_cast<std::size_t>(node)] = 1; };
  for (const auto& face : mesh::boundary_faces(model.mesh))
    for (std::size_t c = 0; c < static_cast<std::size_t>(face.count); ++c) mark(face.corners[c]);
  for (const auto shape : {mesh::Shape::edge, mesh::Shape::triangle})
    for (const auto node : mesh::elements(model.mesh, shape).nodes) mark(node);
  const auto held = model::held_nodes(model);
  std::size_t begin = 0, end = chosen.size();
  if (!model.bodies.empty()) {
    const auto& of = model.bodies.at(static_cast<std::size_t>(body));
    begin = static_cast<std::size_t>(of.first_node);
    end = begin + static_cast<std::size_t>(of.nodes);
  }
  std::vector<std::int32_t> result;
  for (std::size_t node = begin; node < end; ++node)
    if (chosen[node] && !held[node]) result.push_back(static_cast<std::int32_t>(node));
  return result;
}

}  // namespace proxima::contact
