#include "runtime/solve/contact/contact_point.hpp"

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

template <class P>
const ContactMetric& BasicContactEquations<P>::metric(std::span<const contact::Geometry> geometry) {
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

template <class P>
model::Vector3 BasicContactEquations<P>::trial_force(const Point& point, std::size_t c) const {
  const auto away = violation(point.at[c], contacts_.least_gap(c));
  const double d = metric_->diagonal(c);
  return mesh::minus(mesh::vector_at(point.forces, c), mesh::scaled(1 / d, away));
}

template <class P>
model::Vector3 BasicContactEquations<P>::face_trial(const Point& point, std::size_t c) const {
  const auto& n = point.at[c].normal;
  const auto away = violation(point.at[c], contacts_.least_gap(c));
  const auto slip = mesh::minus(away, mesh::scaled(mesh::dot(away, n), n));
  model::Vector3 trial = trial_force(point, c);
  mesh::add(trial, (1 - slip_share) / metric_->diagonal(c), slip);
  return trial;
}

template <class P>
contact::Projected BasicContactEquations<P>::projected(const Point& point, std::size_t c) const {
  return contact::project(contacts_.cone(c, point.at[c]), trial_force(point, c));
}

template <class P>
std::vector<model::ContactState> BasicContactEquations<P>::states(const Point& point) const {
  std::vector<model::ContactState> result;
  result.reserve(point.at.size());
  for (std::size_t c = 0; c < point.at.size(); ++c)
    result.push_back(contact::project(contacts_.cone(c, point.at[c]), face_trial(point, c)).state);
  return result;
}

template <class P>
contact::FaceContact BasicContactEquations<P>::sliding(const Point& point, std::size_t c) const {
  return contact::sliding(contacts_.cone(c, point.at[c]), face_trial(point, c), metric_->diagonal(c) / slip_share);
}

template <class P>
std::vector<double> BasicContactEquations<P>::violations(const Point& point) const {
  std::vector<double> result;
  result.reserve(3 * point.at.size());
  for (std::size_t c = 0; c < point.at.size(); ++c) {
    const auto away = violation(point.at[c], contacts_.least_gap(c));
    result.insert(result.end(), away.begin(), away.end());
  }
  return result;
}

template <class P>
void BasicContactEquations<P>::add_forces(std::span<const contact::Geometry> at, std::span<const double> forces,
                                          double scale, Out y) const {
  view_.add(y, [&](std::span<double> to) { solve::add_forces(contacts_.keys(), at, forces, scale, to); });
}

template <class P>
std::vector<double> BasicContactEquations<P>::relative(std::span<const contact::Geometry> at, In v) const {
  return solve::relative(contacts_.keys(), at, view_.seen(v));
}

template <class P>
auto BasicContactEquations<P>::evaluate(Vector x, std::vector<double> forces) -> Point {
  Point point{std::move(x), std::move(forces)};
  point.residual = INFINITY;
  const auto& elastic = potential_.elastic(point.x);
  if (!std::isfinite(elastic.energy.value)) return point;
  point.gradient = potential_.imbalance(point.x);
  device::add_scaled(point.gradient, 1, elastic.gradient);
  point.at = contacts_.at(view_.seen(point.x));
  point.forces.resize(3 * point.at.size());
  const auto& metric = this->metric(point.at);
  Vector left = solve::copied(point.gradient);
  add_forces(point.at, point.forces, -1, left);
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

template class BasicContactEquations<Potential>;
template class BasicContactEquations<CudaPotential>;

}  // namespace proxima::solve
