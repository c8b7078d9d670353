#include "runtime/solve/methods/admm.hpp"

#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/methods/then_newton.hpp"
#include "runtime/solve/objective/cuda_potential.hpp"

namespace proxima::solve {
namespace {

// direction <- -A^-1 (imbalance + proximal forces): the x-update less x.
template <class P>
void global_step(const P& potential, typename P::System::In x, typename P::System::Dual& dual,
                 typename P::System::Out force, typename P::System::Out direction) {
  potential.proximal_gradient(x, dual, force);
  potential.objective().precondition(force, direction);
  device::negate(direction);
}

}  // namespace

template <class P>
bool enter_domain(const P& potential, int max_iterations, typename P::System::Out x, SolverOutcome& work) {
  const auto& objective = potential.objective();
  if (std::isfinite(potential.value(x).value)) return true;
  objective.require_proximal_step(x);
  auto dual = objective.zero_dual();
  auto force = objective.vector(), direction = objective.vector();
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

template <class P>
Admm<P>::Admm(BasicDescent<P>& point)
    : point_(point),
      dual_(point.objective().equilibrium_dual(point.x())),
      force_(point.objective().vector()),
      direction_(point.objective().vector()) {}

template <class P>
bool Admm<P>::advance() {
  global_step(point_.potential(), point_.x(), dual_, force_, direction_);
  ++point_.outcome().a_solves;
  if (point_.try_step(direction_)) return true;
  point_.preconditioned_descent(direction_);
  const bool moved = point_.line_search(direction_);
  dual_ = point_.objective().equilibrium_dual(point_.x());
  return moved;
}

template <class P>
void run_admm(BasicDescent<P>& point, const SolverSettings& settings) {
  Admm<P> admm(point);
  run_then_newton(point, admm, Method::admm, settings);
}

template bool enter_domain(const Potential&, int, std::span<double>, SolverOutcome&);
template bool enter_domain(const CudaPotential&, int, device::CudaVector&, SolverOutcome&);
template void run_admm(Descent&, const SolverSettings&);
template void run_admm(BasicDescent<CudaPotential>&, const SolverSettings&);

}  // namespace proxima::solve
