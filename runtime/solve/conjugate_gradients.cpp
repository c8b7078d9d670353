#include "runtime/solve/conjugate_gradients.hpp"

#include "runtime/device/parallel.hpp"
#include "runtime/solve/cuda_objective.hpp"

namespace proxima::solve {

template <class System>
CgOutcome conjugate_gradients(const System& system, typename System::In b, double tolerance, int max_iterations,
                              bool zero_guess, BasicCgWorkspace<System>& work, typename System::Out z,
                              const BasicRecycledSpace<System>* space) {
  CgOutcome outcome;
  auto& [r, s, p, q] = work;
  device::copy(b, r);
  if (!zero_guess) {
    exact_hessian_product(system, z, q);
    device::add_scaled(r, -1, q);
  }
  if (space != nullptr) space->project(r, z);
  outcome.residual = device::norm(r);
  double rs = 0;
  while (outcome.residual > tolerance && outcome.iterations < max_iterations) {
    system.precondition_hessian(r, s);
    if (space != nullptr) space->deflate(r, s);
    const double previous = rs;
    rs = device::dot(r, s);
    if (outcome.iterations++ == 0)
      device::copy(s, p);
    else
      device::scale_and_add(p, rs / previous, s);
    system.hessian_product(p, q);
    const double curvature = device::dot(p, q);
    if (!(curvature > 0)) {
      outcome.negative_curvature = true;
      break;
    }
    const double alpha = rs / curvature;
    device::add_scaled(z, alpha, p);
    device::add_scaled(r, -alpha, q);
    outcome.residual = device::norm(r);
  }
  return outcome;
}

template CgOutcome conjugate_gradients(const Objective&, std::span<const double>, double, int, bool, CgWorkspace&,
                                       std::span<double>, const RecycledSpace*);
template CgOutcome conjugate_gradients(const CudaObjective&, const device::CudaVector&, double, int, bool,
                                       BasicCgWorkspace<CudaObjective>&, device::CudaVector&,
                                       const BasicRecycledSpace<CudaObjective>*);

}  // namespace proxima::solve
