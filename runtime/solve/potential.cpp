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

// The state of one minimisation.
class Newton {
 public:
  Newton(const Potential& potential, const NewtonSettings& settings, std::span<double> x)
      : potential_(potential),
        objective_(potential.objective()),
        settings_(settings),
        x_(x),
        work_(x.size()),
        gradient_(x.size()),
        minus_gradient_(x.size()),
        direction_(x.size()),
        trial_(x.size()),
        trial_gradient_(x.size()) {}

  NewtonOutcome run() {
    potential_.gradient(x_, gradient_);
    const double first = outcome_.gradient = device::norm(gradient_);
    while (outcome_.gradient > settings_.target) {
      if (outcome_.iterations == settings_.max_iterations) return ended(NewtonEnd::iterations);
      ++outcome_.iterations;
      if (line_search(newton_direction(std::min(loosest_forcing, outcome_.gradient / first)))) continue;
      if (at_rounding()) return ended(NewtonEnd::rounding);
      if (!line_search(steepest_direction())) return ended(NewtonEnd::stuck);
    }
    return outcome_;
  }

 private:
  NewtonOutcome ended(NewtonEnd end) {
    outcome_.end = end;
    return outcome_;
  }

  bool at_rounding() const { return outcome_.gradient <= gradient_noise * objective_.gradient_rounding(x_); }

  // Both leave a direction behind and return the slope of g along it.
  double newton_direction(double forcing) {
    for (std::size_t i = 0; i < x_.size(); ++i) minus_gradient_[i] = -gradient_[i];
    std::fill(direction_.begin(), direction_.end(), 0.0);
    const double tolerance = std::max(forcing * outcome_.gradient, target_share * settings_.target);
    const CgOutcome cg =
        conjugate_gradients(objective_, x_, minus_gradient_, tolerance, settings_.max_cg, true, work_, direction_);
    outcome_.a_solves += cg.iterations;
    if (cg.negative_curvature) {
      outcome_.negative_curvature = true;
      if (cg.iterations == 1) direction_ = work_.direction;  // A^-1 (-grad g): nothing better is known
    }
    return device::dot(gradient_, direction_);
  }
  double steepest_direction() {
    objective_.precondition(minus_gradient_, direction_);
    ++outcome_.a_solves;
    return device::dot(gradient_, direction_);
  }

  // Moves x along the direction, its gradient with it; false when no length will do.
  bool line_search(double slope) {
    if (!(slope < 0)) return false;
    double length = 1;
    for (int halving = 0; halving <= max_halvings; ++halving, length /= 2) {
      if (accept(length, slope)) return true;
      ++outcome_.halvings;
      if (at_rounding()) return false;
    }
    return false;
  }

  bool accept(double length, double slope) {
    for (std::size_t i = 0; i < x_.size(); ++i) trial_[i] = x_[i] + length * direction_[i];
    const ElasticEnergy change = potential_.difference(x_, trial_);
    if (!std::isfinite(change.value)) return false;
    const double noise = energy_noise * objective_.energy_rounding();
    const bool below_noise = -length * slope <= noise;
    if (change.value > (below_noise ? noise : armijo * length * slope)) return false;
    potential_.gradient(trial_, trial_gradient_);
    const double norm = device::norm(trial_gradient_);
    if (below_noise ? norm >= outcome_.gradient : !std::isfinite(norm)) return false;
    std::copy(trial_.begin(), trial_.end(), x_.begin());
    std::swap(gradient_, trial_gradient_);
    outcome_.gradient = norm;
    return true;
  }

  const Potential& potential_;
  const Objective& objective_;
  const NewtonSettings& settings_;
  std::span<double> x_;
  NewtonOutcome outcome_;
  CgWorkspace work_;
  std::vector<double> gradient_, minus_gradient_, direction_, trial_, trial_gradient_;
};

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
  return Newton(potential, settings, x).run();
}

}  // namespace proxima::solve
