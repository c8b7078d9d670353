#include "runtime/solve/admm.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/then_newton.hpp"

namespace proxima::solve {
namespace {

// direction <- -A^-1 (imbalance + proximal forces): the x-update less x.
void global_step(const Potential& potential, std::span<const double> x, ProximalDual& dual, std::span<double> force,
                 std::span<double> direction) {
  potential.proximal_gradient(x, dual, force);
  potential.objective().precondition(force, direction);
  for (double& value : direction) value = -value;
}

}  // namespace

bool enter_domain(const Potential& potential, int max_iterations, std::span<double> x, SolverOutcome& work) {
  const Objective& objective = potential.objective();
  if (std::isfinite(potential.value(x).value)) return true;
  objective.require_proximal_step(x);
  ProximalDual dual = objective.zero_dual();
  std::vector<double> force(x.size()), direction(x.size());
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    global_step(potential, x, dual, force, direction);
    ++work.iterations;
    ++work.a_solves;
    device::add_scaled(x, 1, direction);
    if (!std::isfinite(device::norm(x))) return false;
    if (std::isfinite(potential.value(x).value)) return true;
  }
  return false;
}

Admm::Admm(Descent& point)
    : point_(point),
      dual_(point.objective().equilibrium_dual(point.x())),
      force_(point.x().size()),
      direction_(point.x().size()) {}

bool Admm::advance() {
  global_step(point_.potential(), point_.x(), dual_, force_, direction_);
  ++point_.outcome().a_solves;
  const double slope = device::dot(point_.gradient(), direction_);
  if (point_.try_step(direction_, slope)) return true;
  const bool moved = point_.line_search(direction_, point_.preconditioned_descent(direction_));
  dual_ = point_.objective().equilibrium_dual(point_.x());
  return moved;
}

void run_admm(Descent& point, const SolverSettings& settings) {
  Admm admm(point);
  run_then_newton(point, admm, Method::admm, settings);
}

}  // namespace proxima::solve
