#include "runtime/solve/contact/contact_set.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/objective/contacts.hpp"

namespace proxima::solve {
namespace {

using mesh::add;
using mesh::add_at;
using mesh::dot;
using mesh::vector_at;
using model::Vector3;

contact::Coefficients coefficients(const model::ContactPair& law) {
  return {law.friction, law.friction_across, law.friction_crossed};
}

// Of the side that has one; zero where neither has.
Vector3 only_direction(const contact::Geometry& geometry) {
  Vector3 sum = geometry.direction;
  add(sum, 1, geometry.own_direction);
  return sum;
}

template <class Visit>
void each_node(const model::ContactKey& key, const contact::Geometry& geometry, Visit visit) {
  for (std::size_t k = 0; k < key.nodes.size(); ++k)
    if (key.nodes[k] >= 0) visit(static_cast<std::size_t>(key.nodes[k]), geometry.weights[k]);
}

}  // namespace

Vector3 violation(const contact::Geometry& geometry, double least_gap) {
  const Vector3& n = geometry.normal;
  Vector3 result = geometry.slip;
  add(result, geometry.gap - least_gap - dot(n, geometry.slip), n);
  return result;
}

void add_forces(std::span<const model::ContactKey> keys, std::span<const contact::Geometry> geometry,
                std::span<const double> forces, double scale, std::span<double> y) {
  for (std::size_t c = 0; c < keys.size(); ++c)
    each_node(keys[c], geometry[c],
              [&](std::size_t node, double weight) { add_at(y, node, scale * weight, vector_at(forces, c)); });
}

std::vector<double> relative(std::span<const model::ContactKey> keys, std::span<const contact::Geometry> geometry,
                             std::span<const double> v) {
  std::vector<double> result(3 * keys.size());
  for (std::size_t c = 0; c < keys.size(); ++c)
    each_node(keys[c], geometry[c],
              [&](std::size_t node, double weight) { add_at(result, c, weight, vector_at(v, node)); });
  return result;
}

ContactSet::ContactSet(const Objective& objective, const contact::StepSpan& step, std::span<const double> velocities)
    : objective_(objective), step_(step), velocities_(velocities) {
  const auto& contacts = objective_.contacts();
  if (!contacts.any_bounce()) return;
  std::vector<double> met(step_.start.begin(), step_.start.end());
  for (std::size_t i = 0; i < met.size(); ++i) met[i] += (step_.end - step_.begin) * velocities_[i];
  add_near(step_.start);
  add_near(met);
  add_bounces();
}

bool ContactSet::add_near(std::span<const double> x) {
  const auto& contacts = objective_.contacts();
  return add(contacts.detection().candidates(step_, x, contacts.margin()));
}

bool ContactSet::add_missed(std::span<const double> x) {
  const auto& contacts = objective_.contacts();
  return add(contacts.detection().missed(step_, keys_, x, contacts.passed()));
}

bool ContactSet::add(std::vector<model::ContactKey> keys) {
  std::vector<model::ContactKey> known = keys_;
  std::sort(known.begin(), known.end());
  std::erase_if(keys, [&](const auto& key) { return std::binary_search(known.begin(), known.end(), key); });
  keys_.insert(keys_.end(), keys.begin(), keys.end());
  least_gap_.resize(keys_.size());
  return !keys.empty();
}

// The gap is that when the step begins, with obstacles where they are then: one that comes at a node at rest takes it
// along at its own speed and that of the bounce.
void ContactSet::add_bounces() {
  const auto& contacts = objective_.contacts();
  const double length = step_.end - step_.begin;
  const auto start = contacts.detection().evaluate(beginning(), keys_, step_.start);
  // What nodes at rest slip by is the obstacle's motion.
  const auto still = contacts.detection().evaluate(step_, keys_, step_.start);
  const auto moving = relative(keys_, start, velocities_);
  for (std::size_t c = 0; c < keys_.size(); ++c) {
    const double approach = -dot(start[c].normal, vector_at(moving, c)) - dot(start[c].normal, still[c].slip) / length;
    const double restitution = is_tie(keys_[c]) ? 0 : contacts.law(keys_[c]).restitution;
    if (restitution > 0 && approach > contacts.slowest_bounce() && approach * length > start[c].gap)
      least_gap_[c] = start[c].gap + restitution * length * approach;
  }
}

std::vector<contact::Geometry> ContactSet::at(std::span<const double> x) const {
  return objective_.contacts().detection().evaluate(step_, keys_, x);
}

bool ContactSet::all_static() const {
  bool any = false;
  for (const auto& key : keys_) {
    if (is_tie(key)) continue;
    if (!std::isinf(objective_.contacts().law(key).friction)) return false;
    any = true;
  }
  return any;
}

contact::FrictionCone ContactSet::cone(std::size_t c, const contact::Geometry& geometry) const {
  if (is_tie(keys_[c])) return {.normal = geometry.normal, .bilateral = true};
  const auto& law = objective_.contacts().law(keys_[c]);
  if (law.friction_crossed > 0)
    return contact::matchstick(geometry.normal, geometry.own_direction, geometry.direction, coefficients(law));
  return {.normal = geometry.normal,
          .friction = law.friction,
          .along = contact::along_of(only_direction(geometry), geometry.normal),
          .across = law.friction_across};
}

contact::Coefficients ContactSet::cone_pull_back(std::size_t c, const contact::Geometry& geometry,
                                                 const contact::ConeBars& by, contact::Geometry& bars) const {
  const auto& law = objective_.contacts().law(keys_[c]);
  if (law.friction_crossed > 0)
    return contact::matchstick_pull_back(geometry.normal, geometry.own_direction, geometry.direction, coefficients(law),
                                         by, bars.normal, bars.own_direction, bars.direction);
  Vector3 by_direction{};
  contact::along_pull_back(only_direction(geometry), geometry.normal, by.along, by_direction, bars.normal);
  // The side that has none passes nothing on.
  mesh::add(bars.direction, 1, by_direction);
  mesh::add(bars.own_direction, 1, by_direction);
  return {.along = by.friction, .across = by.across};
}

void ContactSet::pull_back(std::span<const double> x, std::span<const contact::Geometry> bars,
                           std::span<double> by_nodes) const {
  objective_.contacts().detection().pull_back(step_, keys_, x, bars, by_nodes, {}, {}, contact::Places::contacts);
}

ContactMetric ContactSet::metric(std::span<const contact::Geometry> geometry, contact::CondensedStorage storage) const {
  return contact_metric(objective_.preconditioner(), keys_, geometry, storage);
}

}  // namespace proxima::solve
