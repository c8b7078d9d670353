#include "runtime/solve/methods/descent.hpp"

#include <cmath>

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
    : potential_(&potential), target_(target), x_(x), gradient_(potential.objective().vector()), trial_(potential) {
  trial_.start(x_, gradient_);
  ++outcome_.gradients;
  first_norm_ = outcome_.gradient = device::norm(gradient_);
}

template <class P>
bool BasicDescent<P>::at_rounding() const {
  return norm() <= gradient_noise * trial_.rounding(x_);
}

template <class P>
bool BasicDescent<P>::line_search(In direction) {
  double length = 1;
  begin(direction, length, direction);
  const double slope = trial_.slope();
  if (!(slope < 0)) return false;
  for (int halving = 0; !accept(length, slope); ++halving) {
    ++outcome_.halvings;
    if (halving == max_halvings || at_rounding()) return false;
    length /= 2;
    begin(direction, length, direction);
  }
  return true;
}

template <class P>
bool BasicDescent<P>::try_step(In direction, In measure) {
  begin(direction, 1, measure);
  const double slope = trial_.slope();
  return slope < 0 && accept(1, slope);
}

template <class P>
void BasicDescent<P>::begin(In direction, double length, In measure) {
  trial_.begin(x_, gradient_, direction, length, measure);
  if (TrialStep<P>::at_once) ++outcome_.gradients;
}

template <class P>
bool BasicDescent<P>::accept(double length, double slope) {
  if (!suffices(length, slope)) return false;
  trial_.take(x_, gradient_);
  outcome_.gradient = trial_norm_;
  return true;
}

template <class P>
bool BasicDescent<P>::suffices(double length, double slope) {
  const double change = trial_.change();
  if (!std::isfinite(change)) return false;
  const double enough = armijo * length * slope;
  const double noise = energy_noise * objective().energy_rounding();
  const bool below_noise = -length * slope <= noise;
  if (change > (below_noise ? noise : enough)) return false;
  trial_norm_ = trial_.end_norm();
  if (!TrialStep<P>::at_once) ++outcome_.gradients;
  if (!std::isfinite(trial_norm_)) return false;
  if (!below_noise) return true;
  const double trapezoid = length * (trial_.first_slope() + trial_.last_slope()) / 2;
  return trapezoid <= enough && !(at_rounding() && trial_norm_ >= norm());
}

template <class P>
void BasicDescent<P>::preconditioned_descent(Out result) {
  objective().precondition(gradient_, result);
  ++outcome_.a_solves;
  device::negate(result);
}

template class BasicDescent<Potential>;
template class BasicDescent<CudaPotential>;

}  // namespace proxima::solve
