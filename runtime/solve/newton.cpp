#include "runtime/solve/newton.hpp"

#include <algorithm>

#include "runtime/device/parallel.hpp"

namespace proxima::solve {
namespace {

// CG need not be more exact than this share of the gradient, nor than this share of what is asked for.
constexpr double loosest_forcing = 0.3, target_share = 0.3;

}  // namespace

Newton::Newton(Descent& point, int max_cg)
    : point_(point),
      max_cg_(max_cg),
      work_(point.x().size()),
      minus_gradient_(point.x().size()),
      direction_(point.x().size()) {}

bool Newton::advance() {
  const double slope = newton_direction(std::min(loosest_forcing, point_.norm() / point_.first_norm()));
  if (point_.line_search(direction_, slope)) return true;
  if (point_.at_rounding()) return false;
  return point_.line_search(direction_, point_.preconditioned_descent(direction_));
}

double Newton::newton_direction(double forcing) {
  const auto gradient = point_.gradient();
  for (std::size_t i = 0; i < gradient.size(); ++i) minus_gradient_[i] = -gradient[i];
  std::fill(direction_.begin(), direction_.end(), 0.0);
  const double tolerance = std::max(forcing * point_.norm(), target_share * point_.target());
  const CgOutcome cg =
      conjugate_gradients(point_.objective(), point_.x(), minus_gradient_, tolerance, max_cg_, true, work_, direction_);
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
