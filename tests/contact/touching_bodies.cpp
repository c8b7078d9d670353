#include "touching_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "runtime/contact/nearest.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/rotation.hpp"

namespace proxima::test {

void add_body(model::Model& model, const mesh::Mesh& mesh) {
  const auto first = static_cast<std::int32_t>(model.mesh.nodes.size());
  model::Body body;
  body.name = "body" + std::to_string(model.bodies.size());
  body.first_node = first;
  body.nodes = static_cast<std::int32_t>(mesh.nodes.size());
  model.bodies.push_back(body);
  for (const auto& node : mesh.nodes) {
    model.mesh.nodes.push_back(node);
    model.initial_positions.insert(model.initial_positions.end(), node.begin(), node.end());
  }
  model.initial_velocities.assign(model.initial_positions.size(), 0);
  for (const auto& block : mesh.blocks) {
    auto& to = mesh::make_block(model.mesh, block.elements.shape);
    for (const auto node : block.elements.nodes) to.elements.nodes.push_back(node + first);
    to.tags.resize(to.elements.count(), 0);
  }
}

void add_pair(model::Model& model, std::int32_t body, std::int32_t other, double thickness) {
  model::ContactPair pair;
  pair.body = body;
  pair.with_obstacle = false;
  pair.other = other;
  pair.thickness = thickness;
  model.contacts.push_back(pair);
}

void hold(model::Model& model, std::int32_t body) {
  const auto& held = model.bodies.at(static_cast<std::size_t>(body));
  model::Dirichlet dirichlet;
  for (std::int32_t k = 0; k < held.nodes; ++k) dirichlet.nodes.push_back(held.first_node + k);
  model.dirichlet.push_back(dirichlet);
}

mesh::Mesh turned(mesh::Mesh mesh, const mesh::Vector3& rotation, const mesh::Vector3& translation) {
  for (auto& node : mesh.nodes) {
    node = model::rotate(rotation, node);
    for (std::size_t i = 0; i < 3; ++i) node[i] += translation[i];
  }
  return mesh;
}

std::vector<double> moved(const model::Model& model, std::span<const double> x, std::int32_t body,
                          const std::function<mesh::Vector3(const mesh::Vector3&)>& to) {
  std::vector<double> result(x.begin(), x.end());
  const auto& of = model.bodies.at(static_cast<std::size_t>(body));
  for (std::int32_t k = of.first_node; k < of.first_node + of.nodes; ++k) {
    const auto at = 3 * static_cast<std::size_t>(k);
    const auto there = to({x[at], x[at + 1], x[at + 2]});
    std::ranges::copy(there, result.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return result;
}

std::vector<double> moved_by(const model::Model& model, std::span<const double> x, std::int32_t body,
                             const mesh::Vector3& by) {
  return moved(model, x, body,
               [&](const mesh::Vector3& at) { return mesh::Vector3{at[0] + by[0], at[1] + by[1], at[2] + by[2]}; });
}

PlainSurface plain_surface(const model::Model& model, std::int32_t body) {
  const auto& of = model.bodies.at(static_cast<std::size_t>(body));
  const auto inside = [&](std::int32_t node) { return node >= of.first_node && node < of.first_node + of.nodes; };
  PlainSurface surface;
  for (const auto& triangles :
       {mesh::boundary_triangles(model.mesh), mesh::elements(model.mesh, mesh::Shape::triangle)})
    for (std::size_t t = 0; t < triangles.count(); ++t)
      if (const auto n = triangles.of(t); inside(n[0])) surface.faces.push_back({n[0], n[1], n[2]});
  std::set<std::array<std::int32_t, 2>> edges;
  for (const auto& n : surface.faces)
    for (std::size_t c = 0; c < 3; ++c) edges.insert({std::min(n[c], n[(c + 1) % 3]), std::max(n[c], n[(c + 1) % 3])});
  const auto& own = mesh::elements(model.mesh, mesh::Shape::edge);
  for (std::size_t e = 0; e < own.count(); ++e)
    if (const auto n = own.of(e); inside(n[0])) edges.insert({std::min(n[0], n[1]), std::max(n[0], n[1])});
  surface.edges.assign(edges.begin(), edges.end());
  std::set<std::int32_t> vertices;
  for (const auto& edge : edges) vertices.insert(edge.begin(), edge.end());
  surface.vertices.assign(vertices.begin(), vertices.end());
  return surface;
}

namespace {
mesh::Vector3 at(std::span<const double> x, std::int32_t node) {
  const auto k = 3 * static_cast<std::size_t>(node);
  return {x[k], x[k + 1], x[k + 2]};
}
}  // namespace

double turn(const PlainSurface& surface, const std::array<std::int32_t, 2>& edge, std::span<const double> x) {
  std::vector<mesh::Vector3> normals;
  for (const auto& n : surface.faces) {
    if (std::ranges::count(n, edge[0]) + std::ranges::count(n, edge[1]) < 2) continue;
    auto normal = mesh::cross(mesh::minus(at(x, n[1]), at(x, n[0])), mesh::minus(at(x, n[2]), at(x, n[0])));
    const bool along =
        std::ranges::find(n, edge[0]) + 1 == std::ranges::find(n, edge[1]) || (n[2] == edge[0] && n[0] == edge[1]);
    normals.push_back(mesh::scaled((along ? 1 : -1) * (normals.empty() ? 1.0 : -1.0) / mesh::norm(normal), normal));
  }
  if (normals.size() < 2) return std::numbers::pi;
  return std::acos(std::clamp(mesh::dot(normals[0], normals[1]), -1.0, 1.0));
}

double distance(const model::Model& model, std::int32_t a, std::int32_t b, std::span<const double> x) {
  const auto first = plain_surface(model, a), second = plain_surface(model, b);
  double least = 1e300;
  for (const auto& [vertices, faces] : {std::pair{&first, &second}, {&second, &first}})
    for (const auto v : vertices->vertices)
      for (const auto& f : faces->faces)
        least =
            std::min(least, contact::nearest_vertex_face({at(x, v), at(x, f[0]), at(x, f[1]), at(x, f[2])}).distance);
  for (const auto& e : first.edges)
    for (const auto& f : second.edges)
      least = std::min(least, contact::nearest_edges({at(x, e[0]), at(x, e[1]), at(x, f[0]), at(x, f[1])}, 0).distance);
  return least;
}

mesh::Mesh cone(double height, double radius, int around) {
  mesh::Mesh mesh;
  mesh.nodes = {{0, 0, 0}, {0, 0, height}};
  auto& triangles = mesh::make_block(mesh, mesh::Shape::triangle);
  triangles.elements = {mesh::Shape::triangle, 3, {}};
  for (int k = 0; k < around; ++k) {
    const double angle = 2 * std::numbers::pi * k / around;
    mesh.nodes.push_back({radius * std::cos(angle), radius * std::sin(angle), height});
    const std::int32_t a = 2 + k, b = 2 + (k + 1) % around;
    triangles.elements.nodes.insert(triangles.elements.nodes.end(), {0, b, a, 1, a, b});
  }
  triangles.tags.assign(triangles.elements.count(), 0);
  return mesh;
}

}  // namespace proxima::test
