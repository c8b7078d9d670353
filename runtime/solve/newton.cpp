#include "runtime/solve/newton.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/lbfgs.hpp"

namespace proxima::solve {
namespace {

// CG need not be more exact than this share of the gradient, nor than this share of what is asked for.
constexpr double loosest_forcing = 0.3, target_share = 0.3;
// Iterations that a refused step may take back into the valley. On the twisted cantilever at contrast 1e4 it took 2
// to 8.
constexpr int max_corrections = 10;

}  // namespace

Newton::Newton(Descent& point, int max_cg)
    : point_(point),
      max_cg_(max_cg),
      start_norm_(point.norm()),
      work_(point.x().size()),
      minus_gradient_(point.x().size()),
      direction_(point.x().size()) {}

bool Newton::advance() {
  if (step(newton_direction(std::min(loosest_forcing, point_.norm() / start_norm_)))) return true;
  if (point_.at_rounding()) return false;
  return point_.line_search(direction_, point_.preconditioned_descent(direction_));
}

bool Newton::step(double slope) {
  return point_.try_step(direction_, slope) || corrected_step(slope) || point_.line_search(direction_, slope);
}

bool Newton::corrected_step(double slope) {
  if (!(slope < 0) || point_.at_rounding()) return false;
  const auto x = point_.x();
  corrected_.assign(x.begin(), x.end());
  device::add_scaled(corrected_, 1, direction_);
  if (!std::isfinite(point_.potential().value(corrected_).value)) return false;
  Descent beyond(point_.potential(), point_.target(), corrected_);
  Lbfgs corrector(beyond, max_corrections);
  std::vector<double> whole(x.size());
  bool accepted = false;
  for (int k = 0; k < max_corrections && !accepted && corrector.advance(); ++k) {
    for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = corrected_[i] - x[i];
    accepted = point_.try_step(whole, slope);
  }
  point_.outcome().add_work(beyond.outcome());
  return accepted;
}

double Newton::newton_direction(double forcing) {
  const auto gradient = point_.gradient();
  for (std::size_t i = 0; i < gradient.size(); ++i) minus_gradient_[i] = -gradient[i];
  std::fill(direction_.begin(), direction_.end(), 0.0);
  const double tolerance = std::max(forcing * point_.norm(), target_share * point_.target());
  point_.objective().linearise(point_.x());
  const CgOutcome cg =
      conjugate_gradients(point_.objective(), minus_gradient_, tolerance, max_cg_, true, work_, direction_);
  SolverOutcome& outcome = point_.outcome();
  outcome.a_solves += cg.iterations;
  outcome.hessian_products += cg.iterations;
  if (cg.negative_curvature) {
    outcome.negative_curvature = true;
    if (cg.iterations == 1) direction_ = work_.direction;  // A^-1 (-grad g): nothing better is known
  }
  return device::dot(gradient, direction_);
}

void run_newton(Descent& point, const SolverSettings& settings) {
  Newton newton(point, settings.max_cg);
  point.outcome().end = point.iterate(newton, settings.max_newton);
  point.outcome().finished_by = Method::newton;
}

}  // namespace proxima::solve
