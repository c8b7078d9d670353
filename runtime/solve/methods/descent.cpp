#include "runtime/solve/methods/descent.hpp"

#include <cmath>
#include <utility>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective/cuda_potential.hpp"

namespace proxima::solve {
namespace {

constexpr double armijo = 1e-4;
constexpr int max_halvings = 60;
// Below this multiple of the rounding of g, changes of g say nothing and the gradient decides.
constexpr double energy_noise = 100;

}  // namespace

template <class P>
BasicDescent<P>::BasicDescent(const P& potential, double target, Out x)
    : potential_(&potential),
      target_(target),
      x_(x),
      gradient_(potential.objective().vector()),
      trial_(potential.objective().vector()),
      trial_gradient_(potential.objective().vector()) {
  potential.gradient(x_, gradient_);
  ++outcome_.gradients;
  first_norm_ = outcome_.gradient = device::norm(gradient_);
}

template <class P>
bool BasicDescent<P>::at_rounding() const {
  return norm() <= gradient_noise * objective().gradient_rounding(x_);
}

template <class P>
bool BasicDescent<P>::line_search(In direction, double slope) {
  if (!(slope < 0)) return false;
  double length = 1;
  for (int halving = 0; halving <= max_halvings; ++halving, length /= 2) {
    if (accept(direction, length, slope)) return true;
    ++outcome_.halvings;
    if (at_rounding()) return false;
  }
  return false;
}

template <class P>
bool BasicDescent<P>::try_step(In direction, double slope) {
  return slope < 0 && accept(direction, 1, slope);
}

template <class P>
bool BasicDescent<P>::accept(In direction, double length, double slope) {
  device::combine(trial_, x_, length, direction);
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
  device::copy(trial_, x_);
  std::swap(gradient_, trial_gradient_);
  outcome_.gradient = trial_norm;
  return true;
}

template <class P>
double BasicDescent<P>::preconditioned_descent(Out result) {
  objective().precondition(gradient_, result);
  ++outcome_.a_solves;
  device::negate(result);
  return device::dot(gradient_, result);
}

template class BasicDescent<Potential>;
template class BasicDescent<CudaPotential>;

}  // namespace proxima::solve
