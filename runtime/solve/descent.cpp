#include "runtime/solve/descent.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"

namespace proxima::solve {
namespace {

constexpr double armijo = 1e-4;
constexpr int max_halvings = 60;
// Below this multiple of the rounding of g, changes of g say nothing and the gradient decides.
constexpr double energy_noise = 100;
// A gradient within this multiple of what rounding of positions does to it may be all there is to get.
constexpr double gradient_noise = 10;

}  // namespace

Descent::Descent(const Potential& potential, double target, std::span<double> x)
    : potential_(&potential), target_(target), x_(x), gradient_(x.size()), trial_(x.size()), trial_gradient_(x.size()) {
  potential.gradient(x_, gradient_);
  ++outcome_.gradients;
  first_norm_ = outcome_.gradient = device::norm(gradient_);
}

bool Descent::at_rounding() const { return norm() <= gradient_noise * objective().gradient_rounding(x_); }

bool Descent::line_search(std::span<const double> direction, double slope) {
  if (!(slope < 0)) return false;
  double length = 1;
  for (int halving = 0; halving <= max_halvings; ++halving, length /= 2) {
    if (accept(direction, length, slope)) return true;
    ++outcome_.halvings;
    if (at_rounding()) return false;
  }
  return false;
}

bool Descent::try_step(std::span<const double> direction, double slope) {
  return slope < 0 && accept(direction, 1, slope);
}

bool Descent::accept(std::span<const double> direction, double length, double slope) {
  for (std::size_t i = 0; i < x_.size(); ++i) trial_[i] = x_[i] + length * direction[i];
  const ElasticEnergy change = potential_->difference(x_, trial_);
  if (!std::isfinite(change.value)) return false;
  const double enough = armijo * length * slope;
  const double noise = energy_noise * objective().energy_rounding();
  const bool below_noise = -length * slope <= noise;
  if (change.value > (below_noise ? noise : enough)) return false;
  potential_->gradient(trial_, trial_gradient_);
  ++outcome_.gradients;
  const double trial_norm = device::norm(trial_gradient_);
  if (!std::isfinite(trial_norm)) return false;
  if (below_noise) {
    const double trapezoid = length * (device::dot(gradient_, direction) + device::dot(trial_gradient_, direction)) / 2;
    if (!(trapezoid <= enough)) return false;
    if (at_rounding() && trial_norm >= norm()) return false;
  }
  std::copy(trial_.begin(), trial_.end(), x_.begin());
  std::swap(gradient_, trial_gradient_);
  outcome_.gradient = trial_norm;
  return true;
}

double Descent::preconditioned_descent(std::span<double> result) {
  objective().precondition(gradient_, result);
  ++outcome_.a_solves;
  for (double& value : result) value = -value;
  return device::dot(gradient_, result);
}

}  // namespace proxima::solve
