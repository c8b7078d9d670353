#include "runtime/solve/contact_point.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::solve {

const ContactMetric& ContactEquations::metric(std::span<const contact::Geometry> geometry) {
  std::vector<std::array<double, 4>> weights;
  weights.reserve(geometry.size());
  for (const auto& contact : geometry) weights.push_back(contact.weights);
  if (!metric_ || weights != weights_) {
    metric_ = std::make_unique<ContactMetric>(contacts_.metric(geometry, storage_));
    ++metrics_;
    weights_ = std::move(weights);
  }
  return *metric_;
}

model::Vector3 ContactEquations::trial_force(const ContactPoint& point, std::size_t c) const {
  const auto away = violation(point.at[c], contacts_.least_gap(c));
  const double d = metric_->diagonal(c);
  return mesh::minus(mesh::vector_at(point.forces, c), mesh::scaled(1 / d, away));
}

contact::Projected ContactEquations::projected(const ContactPoint& point, std::size_t c) const {
  return contact::project(contacts_.cone(c, point.at[c]), trial_force(point, c));
}

std::vector<model::ContactState> ContactEquations::states(const ContactPoint& point) const {
  std::vector<model::ContactState> result;
  result.reserve(point.at.size());
  for (std::size_t c = 0; c < point.at.size(); ++c) result.push_back(projected(point, c).state);
  return result;
}

std::vector<double> ContactEquations::violations(const ContactPoint& point) const {
  std::vector<double> result;
  result.reserve(3 * point.at.size());
  for (std::size_t c = 0; c < point.at.size(); ++c) {
    const auto away = violation(point.at[c], contacts_.least_gap(c));
    result.insert(result.end(), away.begin(), away.end());
  }
  return result;
}

ContactPoint ContactEquations::evaluate(std::vector<double> x, std::vector<double> forces) {
  ContactPoint point{std::move(x), std::move(forces), {}, {}};
  point.residual = INFINITY;
  if (!std::isfinite(potential_.value(point.x).value)) return point;
  point.gradient.resize(point.x.size());
  potential_.gradient(point.x, point.gradient);
  point.at = contacts_.at(point.x);
  point.forces.resize(3 * point.at.size());
  const auto& metric = this->metric(point.at);
  std::vector<double> left = point.gradient;
  add_forces(contacts_.keys(), point.at, point.forces, -1, left);
  potential_.objective().clear_held(left);
  point.balance = device::norm(left);
  double total = 0;
  for (std::size_t c = 0; c < metric.size(); ++c) {
    const auto off = mesh::minus(mesh::vector_at(point.forces, c), projected(point, c).force);
    total += mesh::dot(off, off);
  }
  point.complementarity = std::sqrt(total);
  point.residual = std::hypot(point.balance, point.complementarity);
  return point;
}

}  // namespace proxima::solve
