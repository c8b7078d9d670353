#include "runtime/contact/start.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"
#include "runtime/contact/distance.hpp"
#include "runtime/contact/surface_nodes.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/pose.hpp"

namespace proxima::contact {
namespace {

constexpr double hair = 1e-4;

}  // namespace

void require_start_outside(const model::Model& model, jit::Engine& engine) {
  if (model.obstacles.empty()) return;
  const auto box = mesh::bounding_box(model.mesh);
  const double allowed = hair * mesh::norm(mesh::minus(box.upper, box.lower));
  for (const auto& pair : model.contacts) {
    if (!pair.with_obstacle) continue;
    const auto& obstacle = model.obstacles[static_cast<std::size_t>(pair.other)];
    const auto pose = model::pose_at(obstacle.motion, 0);
    const auto nodes = surface_nodes(model, pair.body);
    std::vector<Vector3> points;
    points.reserve(nodes.size());
    for (const auto node : nodes) {
      const double* x = &model.initial_positions[3 * static_cast<std::size_t>(node)];
      points.push_back(model::to_own(pose, {x[0], x[1], x[2]}));
    }
    std::vector<Nearest> nearest(points.size());
    make_distance(obstacle, engine)->evaluate(points, nearest);
    const auto deepest =
        std::min_element(nearest.begin(), nearest.end(), [](const auto& a, const auto& b) { return a.gap < b.gap; });
    if (deepest == nearest.end() || deepest->gap >= -allowed) continue;
    const auto node = static_cast<std::size_t>(nodes[static_cast<std::size_t>(deepest - nearest.begin())]);
    const auto& x = model.initial_positions;
    fail(
        "obstacle '{}': {} starts {:.3g} m inside it, at ({:.4g}, {:.4g}, {:.4g}); at most {:.1g} m is taken for "
        "rounding",
        obstacle.name, model::node_name(model.bodies, node), -deepest->gap, x[3 * node], x[3 * node + 1],
        x[3 * node + 2], allowed);
  }
}

}  // namespace proxima::contact
