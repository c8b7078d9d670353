#include "runtime/solve/methods/newton.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/methods/lbfgs.hpp"
#include "runtime/solve/objective/cuda_potential.hpp"

namespace proxima::solve {
namespace {

// CG need not be more exact than this share of the gradient, nor than this share of what is asked for.
constexpr double loosest_forcing = 0.3, target_share = 0.3;
// Iterations that a refused step may take back into the valley. On the twisted cantilever at contrast 1e4 it took 2
// to 8.
constexpr int max_corrections = 10;

}  // namespace

template <class P>
Newton<P>::Newton(BasicDescent<P>& point, int max_cg)
    : point_(point),
      max_cg_(max_cg),
      start_norm_(point.norm()),
      work_(point.objective()),
      minus_gradient_(point.objective().vector()),
      direction_(point.objective().vector()),
      corrected_(point.objective().vector()) {}

template <class P>
bool Newton<P>::advance() {
  find_direction(std::min(loosest_forcing, point_.norm() / start_norm_));
  if (point_.try_step(direction_) || corrected_step() || point_.line_search(direction_)) return true;
  if (point_.at_rounding()) return false;
  point_.preconditioned_descent(direction_);
  return point_.line_search(direction_);
}

template <class P>
bool Newton<P>::corrected_step() {
  if (!(device::dot(point_.gradient(), direction_) < 0) || point_.at_rounding()) return false;
  device::combine(corrected_, point_.x(), 1, direction_);
  if (!std::isfinite(point_.potential().value(corrected_).value)) return false;
  BasicDescent<P> beyond(point_.potential(), point_.target(), corrected_);
  Lbfgs<P> corrector(beyond, max_corrections);
  auto whole = point_.objective().vector();
  bool accepted = false;
  for (int k = 0; k < max_corrections && !accepted && corrector.advance(); ++k) {
    device::combine(whole, corrected_, -1, point_.x());
    accepted = point_.try_step(whole, direction_);
  }
  point_.outcome().add_work(beyond.outcome());
  return accepted;
}

template <class P>
void Newton<P>::find_direction(double forcing) {
  device::copy(point_.gradient(), minus_gradient_);
  device::negate(minus_gradient_);
  device::set_zero(direction_);
  const double tolerance = std::max(forcing * point_.norm(), target_share * point_.target());
  point_.objective().linearise(point_.x());
  const CgOutcome cg =
      conjugate_gradients(point_.objective(), minus_gradient_, tolerance, max_cg_, true, work_, direction_);
  SolverOutcome& outcome = point_.outcome();
  outcome.a_solves += cg.iterations;
  outcome.hessian_products += cg.iterations;
  if (cg.negative_curvature) {
    outcome.negative_curvature = true;
    if (cg.iterations == 1) device::copy(work_.direction, direction_);  // A^-1 (-grad g): nothing better is known
  }
}

template <class P>
void run_newton(BasicDescent<P>& point, const SolverSettings& settings) {
  Newton<P> newton(point, settings.max_cg);
  point.outcome().end = point.iterate(newton, settings.max_newton);
  point.outcome().finished_by = Method::newton;
}

template void run_newton(Descent&, const SolverSettings&);
template void run_newton(BasicDescent<CudaPotential>&, const SolverSettings&);

}  // namespace proxima::solve
