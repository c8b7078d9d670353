#include "runtime/contact/start.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"
#include "runtime/contact/obstacle_contacts.hpp"
#include "runtime/contact/surface_distance.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

constexpr double hair = 1e-4;

// Where a body is at the start, and what it has of the boundary of solids.
struct Solid {
  mesh::Box box;
  model::ClosedSurface surface;
};

std::vector<Solid> solids_at_start(const model::Model& model) {
  mesh::Mesh now = model.mesh;
  for (std::size_t node = 0; node < now.nodes.size(); ++node)
    now.nodes[node] = mesh::vector_at(model.initial_positions, node);
  const auto boundary = mesh::boundary_triangles(now);
  std::vector<Solid> result;
  for (const auto& body : model.bodies) {
    const auto begin = now.nodes.begin() + body.first_node, end = begin + body.nodes;
    result.push_back({mesh::bounding_box({{begin, end}, {}, {}}), {{begin, end}, {}}});
  }
  for (std::size_t t = 0; t < boundary.count(); ++t) {
    const auto corners = boundary.of(t);
    // Bodies follow one another in the nodes.
    const auto body = std::ranges::upper_bound(model.bodies, corners[0], {}, &model::Body::first_node) - 1;
    const auto first = body->first_node;
    result[static_cast<std::size_t>(body - model.bodies.begin())].surface.triangles.push_back(
        {corners[0] - first, corners[1] - first, corners[2] - first});
  }
  return result;
}

bool holds(const mesh::Box& box, const Vector3& x) {
  for (std::size_t i = 0; i < 3; ++i)
    if (x[i] < box.lower[i] || x[i] > box.upper[i]) return false;
  return true;
}

bool meet(const mesh::Box& a, const mesh::Box& b) {
  for (std::size_t i = 0; i < 3; ++i)
    if (a.lower[i] > b.upper[i] || b.lower[i] > a.upper[i]) return false;
  return true;
}

struct Deepest {
  double gap = 0;  // m, negative
  std::size_t body = 0, other = 0, node = 0;
};

void find_deepest(const std::vector<Solid>& solids, std::size_t body, std::size_t other, Deepest& deepest) {
  const auto& [box, surface] = solids[other];
  if (surface.triangles.empty() || !meet(box, solids[body].box)) return;
  std::vector<Vector3> points;
  std::vector<std::size_t> nodes;
  for (std::size_t node = 0; node < solids[body].surface.nodes.size(); ++node)
    if (const auto& x = solids[body].surface.nodes[node]; holds(box, x)) {
      points.push_back(x);
      nodes.push_back(node);
    }
  if (points.empty()) return;
  std::vector<Nearest> nearest(points.size());
  make_distance(surface)->evaluate(points, nearest);
  for (std::size_t k = 0; k < points.size(); ++k)
    if (nearest[k].gap < deepest.gap) deepest = {nearest[k].gap, body, other, nodes[k]};
}

}  // namespace

std::string overlap_at_start(const model::Model& model) {
  if (model.bodies.empty() || std::ranges::all_of(model.contacts, &model::ContactPair::with_obstacle)) return {};
  const auto solids = solids_at_start(model);
  Deepest deepest;
  for (const auto& pair : model.contacts) {
    if (pair.with_obstacle || pair.other == pair.body) continue;
    const auto body = static_cast<std::size_t>(pair.body), other = static_cast<std::size_t>(pair.other);
    find_deepest(solids, body, other, deepest);
    find_deepest(solids, other, body, deepest);
  }
  const auto& box = solids[deepest.other].box;
  if (-deepest.gap <= hair * mesh::norm(mesh::minus(box.upper, box.lower))) return {};
  const auto& body = model.bodies[deepest.body];
  return fmt::format(
      "body '{}' and body '{}' overlap at the start: {} is {:.3g} m inside; contact pushes out what is a little inside "
      "and sees nothing of what is deep inside",
      body.name, model.bodies[deepest.other].name,
      model::node_name(model.bodies, static_cast<std::size_t>(body.first_node) + deepest.node), -deepest.gap);
}

void require_start_outside(const model::Model& model, jit::Engine& engine) {
  if (model.obstacles.empty()) return;
  const auto box = mesh::bounding_box(model.mesh);
  const double allowed = hair * mesh::norm(mesh::minus(box.upper, box.lower));
  const ObstacleContacts contacts(model, engine);
  const auto& x = model.initial_positions;
  const StepSpan start{0, 0, x};
  std::vector<model::ContactKey> keys;
  contacts.candidates(start, x, -allowed, keys);
  if (keys.empty()) return;
  std::vector<Geometry> inside(keys.size());
  contacts.evaluate(start, keys, x, inside);
  const auto deepest = std::ranges::min_element(inside, {}, &Geometry::gap);
  const auto& key = keys[static_cast<std::size_t>(deepest - inside.begin())];
  const auto node = static_cast<std::size_t>(key.nodes[0]);
  const auto& pair = model.contacts[static_cast<std::size_t>(key.pair)];
  const auto at = mesh::vector_at(x, node);
  fail(
      "obstacle '{}': {} starts {:.3g} m inside it, at ({:.4g}, {:.4g}, {:.4g}); at most {:.1g} m is taken for "
      "rounding",
      model.obstacles[static_cast<std::size_t>(pair.other)].name, model::node_name(model.bodies, node), -deepest->gap,
      at[0], at[1], at[2], allowed);
}

}  // namespace proxima::contact
