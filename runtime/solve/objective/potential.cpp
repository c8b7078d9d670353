#include "runtime/solve/objective/potential.hpp"

#include <algorithm>
#include <utility>

#include "runtime/device/parallel.hpp"

namespace proxima::solve {
Potential::Potential(const Objective& objective, std::vector<double> start, std::vector<double> force)
    : objective_(&objective), start_(std::move(start)), force_(std::move(force)) {
  objective.clear_held(force_);
}

ElasticEnergy Potential::value(std::span<const double> x) const {
  ElasticEnergy result = elastic(x).energy;
  const auto inertia = objective_->inertia();
  double rest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double moved = x[i] - start_[i];
    rest += (inertia[i / 3] * moved / 2 - force_[i]) * moved;
  }
  result.value += rest;
  return result;
}

ElasticEnergy Potential::difference(std::span<const double> x0, std::span<const double> x1) const {
  ElasticEnergy result = objective_->elastic_difference(x0, x1);
  const auto inertia = objective_->inertia();
  double rest = 0;
  for (std::size_t i = 0; i < x0.size(); ++i) {
    const double middle = ((x1[i] - start_[i]) + (x0[i] - start_[i])) / 2;
    rest += (inertia[i / 3] * middle - force_[i]) * (x1[i] - x0[i]);
  }
  result.value += rest;
  return result;
}

void Potential::gradient(std::span<const double> x, std::span<double> result) const {
  set_imbalance(x, result);
  if (const auto* point = known(x))
    device::add_scaled(result, 1, point->gradient);
  else
    objective_->add_elastic_gradient(x, result);
}

const ElasticPoint& Potential::elastic(std::span<const double> x) const {
  if (const auto* point = known(x)) return *point;
  ElasticPoint& point = known_[oldest_];
  oldest_ = (oldest_ + 1) % remembered;
  point.x.assign(x.begin(), x.end());
  point.gradient.assign(x.size(), 0.0);
  point.energy = objective_->elastic_energy_and_gradient(x, point.gradient);
  return point;
}

const ElasticPoint* Potential::known(std::span<const double> x) const {
  const auto at = std::find_if(known_.begin(), known_.end(),
                               [&](const ElasticPoint& point) { return std::ranges::equal(point.x, x); });
  return at == known_.end() ? nullptr : &*at;
}

void Potential::proximal_gradient(std::span<const double> x, ProximalDual& dual, std::span<double> result) const {
  set_imbalance(x, result);
  objective_->add_proximal_force(x, dual, result);
}

std::vector<double> Potential::imbalance(std::span<const double> x) const {
  std::vector<double> result(x.size());
  set_imbalance(x, result);
  return result;
}

void Potential::set_imbalance(std::span<const double> x, std::span<double> result) const {
  const auto inertia = objective_->inertia();
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = inertia[i / 3] * (x[i] - start_[i]) - force_[i];
}

}  // namespace proxima::solve
