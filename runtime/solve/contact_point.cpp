#include "runtime/solve/contact_point.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::solve {
namespace {

// How much of a slip faces are read from. 1/D is how hard a contact has to be pushed to move as A lets it; with H it
// moves farther, where bodies are thin or stiff parts turn. By the whole of 1/D a contact that has been let go and
// should stick is then taken to slide the other way, and back again: it never sticks.
constexpr double slip_share = 0.3;

}  // namespace

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

model::Vector3 ContactEquations::face_trial(const ContactPoint& point, std::size_t c) const {
  const auto& n = point.at[c].normal;
  const auto away = violation(point.at[c], contacts_.least_gap(c));
  const auto slip = mesh::minus(away, mesh::scaled(mesh::dot(away, n), n));
  model::Vector3 trial = trial_force(point, c);
  mesh::add(trial, (1 - slip_share) / metric_->diagonal(c), slip);
  return trial;
}

contact::Projected ContactEquations::projected(const ContactPoint& point, std::size_t c) const {
  return contact::project(contacts_.cone(c, point.at[c]), trial_force(point, c));
}

std::vector<model::ContactState> ContactEquations::states(const ContactPoint& point) const {
  std::vector<model::ContactState> result;
  result.reserve(point.at.size());
  for (std::size_t c = 0; c < point.at.size(); ++c)
    result.push_back(contact::project(contacts_.cone(c, point.at[c]), face_trial(point, c)).state);
  return result;
}

contact::FaceContact ContactEquations::sliding(const ContactPoint& point, std::size_t c) const {
  return contact::sliding(contacts_.cone(c, point.at[c]), face_trial(point, c), metric_->diagonal(c) / slip_share);
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
