#include "runtime/solve/potential.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"

namespace proxima::solve {
namespace {

constexpr double armijo = 1e-4;
constexpr int max_halvings = 60;
// CG need not be more exact than this share of the gradient, nor than this share of what is asked for.
constexpr double loosest_forcing = 0.3, target_share = 0.3;
// Below this multiple of the rounding of g, changes of g say nothing and the gradient decides.
constexpr double energy_noise = 100;
// A gradient within this multiple of what rounding of positions does to it may be all there is to get.
constexpr double gradient_noise = 10;

}  // namespace

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

NewtonOutcome minimise(const Potential& potential, const NewtonSettings& settings, std::span<double> x) {
  const Objective& objective = potential.objective();
  const std::size_t size = x.size();
  NewtonOutcome outcome;
  CgWorkspace work(size);
  std::vector<double> gradient(size), minus_gradient(size), direction(size), trial(size), trial_gradient(size);
  potential.gradient(x, gradient);
  const double first = device::norm(gradient);
  outcome.gradient = first;

  const auto steepest_descent = [&] {
    objective.precondition(minus_gradient, direction);
    ++outcome.a_solves;
    return device::dot(gradient, direction);
  };
  // Moves x along the direction; false when no length will do. Leaves the gradient of the new x behind.
  const auto line_search = [&](double slope) {
    double length = 1;
    for (int halving = 0; halving <= max_halvings; ++halving, length /= 2) {
      for (std::size_t i = 0; i < size; ++i) trial[i] = x[i] + length * direction[i];
      const ElasticEnergy change = potential.difference(x, trial);
      bool accepted = false;
      if (std::isfinite(change.value)) {
        const double noise = energy_noise * objective.energy_rounding();
        const bool below_noise = -length * slope <= noise;
        if (below_noise ? change.value <= noise : change.value <= armijo * length * slope) {
          potential.gradient(trial, trial_gradient);
          const double norm = device::norm(trial_gradient);
          accepted = below_noise ? norm < outcome.gradient : std::isfinite(norm);
          if (accepted) outcome.gradient = norm;
        }
      }
      if (accepted) {
        std::copy(trial.begin(), trial.end(), x.begin());
        std::swap(gradient, trial_gradient);
        return true;
      }
      ++outcome.halvings;
      if (outcome.gradient <= gradient_noise * objective.gradient_rounding(x)) return false;  // as low as it gets
    }
    return false;
  };

  while (outcome.gradient > settings.target) {
    if (outcome.iterations == settings.max_iterations) {
      outcome.end = NewtonEnd::iterations;
      return outcome;
    }
    ++outcome.iterations;
    for (std::size_t i = 0; i < size; ++i) minus_gradient[i] = -gradient[i];
    std::fill(direction.begin(), direction.end(), 0.0);
    const double forcing = std::min(loosest_forcing, outcome.gradient / first);
    const double tolerance = std::max(forcing * outcome.gradient, target_share * settings.target);
    const CgOutcome cg =
        conjugate_gradients(objective, x, minus_gradient, tolerance, settings.max_cg, true, work, direction);
    outcome.a_solves += cg.iterations;
    if (cg.negative_curvature) {
      outcome.negative_curvature = true;
      if (cg.iterations == 1) direction = work.direction;  // A^-1 (-grad g): nothing better is known
    }
    const double slope = device::dot(gradient, direction);
    const bool moved = slope < 0 && line_search(slope);
    if (moved) continue;
    if (outcome.gradient <= gradient_noise * objective.gradient_rounding(x)) {
      outcome.end = NewtonEnd::rounding;
      return outcome;
    }
    if (!line_search(steepest_descent())) {
      outcome.end = NewtonEnd::stuck;
      return outcome;
    }
  }
  return outcome;
}

}  // namespace proxima::solve
