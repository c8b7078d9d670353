#include "runtime/contact/touching_nodes.hpp"

#include <map>
#include <set>

#include "runtime/contact/surface.hpp"

namespace proxima::contact {

std::vector<std::int32_t> touching_nodes(const model::Model& model) {
  std::map<std::int32_t, bool> bodies;  // whether it touches another body, whose contacts tell inside from outside
  for (const auto& pair : model.contacts) {
    bodies[pair.body] |= !pair.with_obstacle;
    if (!pair.with_obstacle) bodies[pair.other] = true;
  }
  std::set<std::int32_t> nodes;
  const auto boundary = bodies.empty() ? std::vector<mesh::BoundaryFace>{} : mesh::boundary_faces(model.mesh);
  for (const auto& [body, by_body] : bodies) {
    const Surface surface(model, boundary, body);
    nodes.insert(surface.vertices.begin(), surface.vertices.end());
    if (!by_body) continue;
    for (const Face& face : surface.faces) nodes.insert(face.behind);
  }
  for (const auto& tie : model.ties)
    for (const auto& tied : tie.tied) nodes.insert(tied.nodes.begin(), tied.nodes.end());
  nodes.erase(-1);  // what stands for none
  return {nodes.begin(), nodes.end()};
}

}  // namespace proxima::contact
