#include "runtime/contact/obstacle_contacts.hpp"

#include <algorithm>

#include "runtime/contact/surface.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/pose.hpp"
#include "runtime/model/rotation.hpp"

namespace proxima::contact {
namespace {

using mesh::add;
using mesh::add_at;
using mesh::vector_at;

Vector3 turned(const model::KeyFrame& pose, const Vector3& v) { return model::rotate(pose.rotation, v); }
Vector3 turned_back(const model::KeyFrame& pose, const Vector3& v) {
  return model::rotate(mesh::scaled(-1, pose.rotation), v);
}

}  // namespace

ObstacleContacts::ObstacleContacts(const model::Model& model, jit::Engine& engine) {
  if (model.obstacles.empty()) {
    pairs_.resize(model.contacts.size());
    return;
  }
  const auto boundary = mesh::boundary_faces(model.mesh);
  const auto held = model::held_nodes(model);
  pairs_.reserve(model.contacts.size());
  for (const auto& pair : model.contacts) {
    auto& mine = pairs_.emplace_back();
    if (!pair.with_obstacle) continue;
    const Surface surface(model, boundary, pair.body);
    mine = {static_cast<std::size_t>(pair.other), surface.vertices, {}};
    if (pair.friction_direction != Vector3{})
      mine.direction = SurfaceDirection(surface, model.mesh.nodes, pair.friction_direction);
    std::erase_if(mine.nodes, [&](std::int32_t node) { return held[static_cast<std::size_t>(node)] != 0; });
  }
  motions_.reserve(model.obstacles.size());
  directions_.reserve(model.obstacles.size());
  distances_.reserve(model.obstacles.size());
  for (const auto& obstacle : model.obstacles) {
    motions_.push_back(obstacle.motion);
    directions_.push_back(obstacle.friction_direction);
    distances_.push_back(make_distance(obstacle, engine));
  }
}

void ObstacleContacts::set_values(const model::Model& model) {
  for (auto& pair : pairs_) pair.direction.set_rest(model.mesh.nodes);
  for (std::size_t k = 0; k < distances_.size(); ++k) {
    motions_[k] = model.obstacles.at(k).motion;
    distances_[k]->set_values(model.obstacles[k]);
  }
}

void ObstacleContacts::candidates(const StepSpan& span, std::span<const double> x, double margin,
                                  std::vector<model::ContactKey>& keys) const {
  std::vector<Vector3> points;
  std::vector<Nearest> nearest;
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const auto& [obstacle, nodes, direction] = pairs_[p];
    if (nodes.empty()) continue;
    const auto pose = model::pose_at(motions_[obstacle], span.end);
    points.clear();
    points.reserve(nodes.size());
    for (const auto node : nodes) points.push_back(model::to_own(pose, vector_at(x, node)));
    nearest.resize(points.size());
    distances_[obstacle]->evaluate(points, nearest);
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (nearest[k].gap < margin)
        keys.push_back({static_cast<std::int32_t>(p), model::ContactKind::node_obstacle, 1, {nodes[k], -1, -1, -1}});
  }
}

std::vector<std::vector<std::size_t>> ObstacleContacts::sort(std::span<const model::ContactKey> keys) const {
  std::vector<std::vector<std::size_t>> result(distances_.size());
  for (std::size_t k = 0; k < keys.size(); ++k)
    if (keys[k].kind == model::ContactKind::node_obstacle)
      result[pairs_.at(static_cast<std::size_t>(keys[k].pair)).obstacle].push_back(k);
  return result;
}

// X = R_e^T (x - t_e) in the obstacle's axes; n = R_e n_own(X); the slip is what the node has moved less what the
// material point X has: (x - start) - (x - (t_b + R_b X)).
void ObstacleContacts::evaluate(const StepSpan& span, std::span<const model::ContactKey> keys,
                                std::span<const double> x, std::span<Geometry> contacts) const {
  const auto sorted = sort(keys);
  std::vector<Vector3> points;
  std::vector<Nearest> nearest;
  for (std::size_t o = 0; o < sorted.size(); ++o) {
    if (sorted[o].empty()) continue;
    const auto begin = model::pose_at(motions_[o], span.begin), end = model::pose_at(motions_[o], span.end);
    points.clear();
    points.reserve(sorted[o].size());
    for (const auto k : sorted[o]) points.push_back(model::to_own(end, vector_at(x, keys[k].nodes[0])));
    nearest.resize(points.size());
    distances_[o]->evaluate(points, nearest);
    for (std::size_t j = 0; j < points.size(); ++j) {
      const std::size_t k = sorted[o][j];
      contacts[k] = {nearest[j].gap,
                     turned(end, nearest[j].normal),
                     {1, 0, 0, 0},
                     mesh::minus(model::to_space(begin, points[j]), vector_at(span.start, keys[k].nodes[0])),
                     turned(end, directions_[o]),
                     pairs_[static_cast<std::size_t>(keys[k].pair)].direction.at(keys[k].nodes[0], span.start)};
    }
  }
}

void ObstacleContacts::pull_back(const StepSpan& span, std::span<const model::ContactKey> keys,
                                 std::span<const double> x, std::span<const Geometry> bars, std::span<double> by_x,
                                 std::span<double> by_start, std::span<model::ObstacleGradient> by_obstacle,
                                 Places places) const {
  const auto sorted = sort(keys);
  std::vector<Vector3> points, by_point;
  std::vector<Nearest> nearest, own_bars;
  for (std::size_t o = 0; o < sorted.size(); ++o) {
    const std::size_t count = sorted[o].size();
    if (count == 0) continue;
    const auto begin = model::pose_at(motions_[o], span.begin), end = model::pose_at(motions_[o], span.end);
    points.clear();
    points.reserve(count);
    own_bars.clear();
    own_bars.reserve(count);
    for (const auto k : sorted[o]) {
      points.push_back(model::to_own(end, vector_at(x, keys[k].nodes[0])));
      own_bars.push_back({bars[k].gap, turned_back(end, bars[k].normal)});
    }
    nearest.resize(count);
    distances_[o]->evaluate(points, nearest);
    by_point.assign(count, {});
    distances_[o]->pull_back(points, own_bars, by_point, by_obstacle.empty() ? nullptr : &by_obstacle[o].parameters);
    model::KeyFrame by_begin, by_end;
    const Vector3 back = mesh::scaled(-1, end.rotation);
    for (std::size_t j = 0; j < count; ++j) {
      const std::size_t k = sorted[o][j];
      const std::int32_t node = keys[k].nodes[0];
      const Vector3& slip = bars[k].slip;
      add(by_end.rotation, 1, model::rotation_pull_back(end.rotation, nearest[j].normal, bars[k].normal));
      add(by_end.rotation, 1, model::rotation_pull_back(end.rotation, directions_[o], bars[k].direction));
      add(by_begin.translation, 1, slip);
      add(by_begin.rotation, 1, model::rotation_pull_back(begin.rotation, points[j], slip));
      if (!by_start.empty()) {
        add_at(by_start, node, -1, slip);
        pairs_[static_cast<std::size_t>(keys[k].pair)].direction.pull_back(node, bars[k].own_direction, by_start);
      }
      add(by_point[j], 1, turned_back(begin, slip));
      const Vector3 in_space = turned(end, by_point[j]);
      add_at(by_x, place_of(places, keys[k], k, 0), 1, in_space);
      add(by_end.translation, -1, in_space);
      const Vector3 arm = mesh::minus(vector_at(x, node), end.translation);
      add(by_end.rotation, -1, model::rotation_pull_back(back, arm, by_point[j]));
    }
    if (by_obstacle.empty()) continue;
    model::add_pose_pull_back(motions_[o], span.begin, by_begin, by_obstacle[o].motion);
    model::add_pose_pull_back(motions_[o], span.end, by_end, by_obstacle[o].motion);
  }
}

void ObstacleContacts::pull_back_rest(const StepSpan& span, std::span<const model::ContactKey> keys,
                                      std::span<const Geometry> bars, std::span<double> by_rest) const {
  for (std::size_t k = 0; k < keys.size(); ++k)
    if (keys[k].kind == model::ContactKind::node_obstacle)
      pairs_[static_cast<std::size_t>(keys[k].pair)].direction.pull_back_rest(keys[k].nodes[0], bars[k].own_direction,
                                                                              span.start, by_rest);
}

}  // namespace proxima::contact
