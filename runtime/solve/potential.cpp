#include "runtime/solve/potential.hpp"

#include <utility>

namespace proxima::solve {
Potential::Potential(const Objective& objective, std::vector<double> y)
    : objective_(&objective), y_(std::move(y)), inertia_(objective.mass().begin(), objective.mass().end()) {
  const double h = objective.time_step();
  for (std::size_t node = 0; node < inertia_.size(); ++node)
    inertia_[node] = objective.held(node) ? 0.0 : inertia_[node] / (h * h);
}

ElasticEnergy Potential::value(std::span<const double> x) const {
  ElasticEnergy result = objective_->elastic_energy(x);
  double inertial = 0;
  for (std::size_t i = 0; i < x.size(); ++i) inertial += inertia_[i / 3] * (x[i] - y_[i]) * (x[i] - y_[i]);
  result.value += inertial / 2;
  return result;
}

ElasticEnergy Potential::difference(std::span<const double> x0, std::span<const double> x1) const {
  ElasticEnergy result = objective_->elastic_difference(x0, x1);
  double inertial = 0;
  for (std::size_t i = 0; i < x0.size(); ++i)
    inertial += inertia_[i / 3] * (x1[i] - x0[i]) * ((x1[i] - y_[i]) + (x0[i] - y_[i]));
  result.value += inertial / 2;
  return result;
}

void Potential::gradient(std::span<const double> x, std::span<double> result) const {
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = inertia_[i / 3] * (x[i] - y_[i]);
  objective_->add_elastic_gradient(x, result);
}

std::vector<double> Potential::inertial_force(std::span<const double> x) const {
  std::vector<double> result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = inertia_[i / 3] * (x[i] - y_[i]);
  return result;
}

}  // namespace proxima::solve
