// The contacts of one step: a set that grows as they are found, and what the law of contact asks of each.
#pragma once

#include <span>
#include <vector>

#include "runtime/contact/detection.hpp"
#include "runtime/contact/matchstick.hpp"
#include "runtime/solve/contact/contact_metric.hpp"
#include "runtime/solve/objective/objective.hpp"

namespace proxima::solve {

class ContactSet {
 public:
  // Of the step that the objective has entered; `velocities`: at its start, m/s, 3 a node, for restitution: what
  // bounces is among those near the start or where velocities lead from there, and in the set from the beginning, so
  // that it is a function of the state before the step alone. Keeps references.
  ContactSet(const Objective& objective, const contact::StepSpan& step, std::span<const double> velocities);

  // Adds those near x that are not in it, after the others; whether there are any.
  bool add_near(std::span<const double> x);
  // The same of those that were passed through on the way to x.
  bool add_missed(std::span<const double> x);
  // The same of these.
  bool add(std::vector<model::ContactKey> keys);
  std::size_t size() const { return keys_.size(); }
  std::span<const model::ContactKey> keys() const { return keys_; }
  const contact::StepSpan& step() const { return step_; }
  // The moment at which it begins: gaps and normals of then, obstacles and all, and no slip.
  contact::StepSpan beginning() const { return {step_.begin, step_.begin, step_.start}; }
  std::vector<contact::Geometry> at(std::span<const double> x) const;
  // The forces that its law allows.
  contact::FrictionCone cone(std::size_t c, const contact::Geometry& geometry) const;
  // From the derivatives by a cone's friction, along and across adds those by the geometry to `bars`, and returns those
  // by the law's coefficients.
  contact::Coefficients cone_pull_back(std::size_t c, const contact::Geometry& geometry, const contact::ConeBars& by,
                                       contact::Geometry& bars) const;
  // The gap that it must not fall below, m: zero, or what restitution makes of the speed of approach.
  double least_gap(std::size_t c) const { return least_gap_[c]; }
  bool all_static() const;  // whether something may touch, and friction is infinite wherever it does
  ContactMetric metric(std::span<const contact::Geometry> geometry, contact::CondensedStorage storage) const;
  // From the derivatives by the geometry at x those by the positions of each contact's nodes, 12 numbers a contact.
  void pull_back(std::span<const double> x, std::span<const contact::Geometry> bars, std::span<double> by_nodes) const;

 private:
  void add_bounces();

  const Objective& objective_;
  contact::StepSpan step_;
  std::span<const double> velocities_;
  std::vector<model::ContactKey> keys_;
  std::vector<double> least_gap_;
};

// How far the contact is from where its law lets it be if it carries a force, m: the gap beyond the least one along the
// normal, and the slip across it.
model::Vector3 violation(const contact::Geometry& geometry, double least_gap);

// y += scale W^T f: the forces on nodes, 3 scalars each.
void add_forces(std::span<const model::ContactKey> keys, std::span<const contact::Geometry> geometry,
                std::span<const double> forces, double scale, std::span<double> y);
// W v, 3 scalars a contact.
std::vector<double> relative(std::span<const model::ContactKey> keys, std::span<const contact::Geometry> geometry,
                             std::span<const double> v);

}  // namespace proxima::solve
