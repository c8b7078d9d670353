#include "runtime/model/ties.hpp"

#include <algorithm>
#include <limits>

#include "compiler/support/error.hpp"
#include "compiler/support/nearest.hpp"
#include "runtime/mesh/closest_point.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/select.hpp"

namespace proxima::model {
namespace {

constexpr double on_surface = 1e-4;  // of the size of all bodies: what a mesh file's digits explain

using Triangle = std::array<std::int32_t, 3>;

const Body& body_named(const std::string& name, const Model& model, const std::string& where) {
  std::vector<std::string> known;
  for (const auto& body : model.bodies) {
    if (body.name == name) return body;
    known.push_back(body.name);
  }
  const auto nearest = nearest_name(name, known);
  fail("{}.to_body: there is no body '{}'{}", where, name,
       nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
}

bool has(const Body& body, std::int32_t node) { return node >= body.first_node && node < body.first_node + body.nodes; }

std::vector<Triangle> surface_of(const Body& body, const Model& model) {
  std::vector<Triangle> result;
  const auto take = [&](const mesh::Elements& triangles) {
    for (std::size_t t = 0; t < triangles.count(); ++t) {
      const auto corners = triangles.of(t);
      if (has(body, corners[0])) result.push_back({corners[0], corners[1], corners[2]});
    }
  };
  take(mesh::boundary_triangles(model.mesh));
  for (const auto& block : model.mesh.blocks)
    if (block.elements.shape == mesh::Shape::triangle) take(block.elements);
  return result;
}

// Where on the surface the node is, and how far from it, m.
std::pair<TiedNode, double> nearest(std::int32_t node, const std::vector<Triangle>& surface,
                                    const std::vector<Vector3>& at) {
  const auto& p = at[static_cast<std::size_t>(node)];
  std::pair<TiedNode, double> best{{}, std::numeric_limits<double>::infinity()};
  for (const auto& triangle : surface) {
    std::array<Vector3, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) corners[k] = at[static_cast<std::size_t>(triangle[k])];
    const auto [share, distance, above] = mesh::closest_in_triangle(p, corners);
    if (distance < best.second)
      best = {{{node, triangle[0], triangle[1], triangle[2]}, {1, -share[0], -share[1], -share[2]}, {}}, distance};
  }
  return best;
}

std::vector<TiedNode> to_body(const TieSource& source, const std::vector<std::int32_t>& nodes, const Model& model,
                              const std::string& where) {
  const Body& body = body_named(*source.to_body, model, where);
  const auto surface = surface_of(body, model);
  if (surface.empty()) fail("{}.to_body: body '{}' has no surface, neither solids nor triangles", where, body.name);
  const auto box = mesh::bounding_box(model.mesh);
  const double most = on_surface * mesh::norm(mesh::minus(box.upper, box.lower));
  std::vector<TiedNode> result;
  for (const auto node : nodes) {
    const auto name = node_name(model.bodies, static_cast<std::size_t>(node));
    if (has(body, node)) fail("{}: {} belongs to the body that it is to be tied to", where, name);
    const auto [tied, distance] = nearest(node, surface, model.mesh.nodes);
    if (distance > most)
      fail("{}: {} is {:.3g} m from the surface of body '{}' at rest; at most {:.1g} m is taken for touching", where,
           name, distance, body.name, most);
    result.push_back(tied);
  }
  return result;
}

}  // namespace

void add_ties(const Scene& scene, Model& model) {
  for (std::size_t i = 0; i < scene.ties.size(); ++i) {
    const auto& source = scene.ties[i];
    const auto where = fmt::format("{}: ties[{}]", scene.file.string(), i);
    const auto nodes = select_nodes(source.select, model, where + ".select");
    Tie tie{source.name, {}, source.to.value_or(Vector3{})};
    if (source.to_body)
      tie.tied = to_body(source, nodes, model, where);
    else
      for (const auto node : nodes)
        tie.tied.push_back({{node, -1, -1, -1},
                            {1, 0, 0, 0},
                            source.to ? Vector3{} : model.mesh.nodes[static_cast<std::size_t>(node)]});
    model.ties.push_back(std::move(tie));
  }
}

}  // namespace proxima::model
