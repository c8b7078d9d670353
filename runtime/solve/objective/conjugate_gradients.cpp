#include "runtime/solve/objective/conjugate_gradients.hpp"

#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"

namespace proxima::solve {

template <class System>
CgOutcome conjugate_gradients(const System& system, typename System::In b, double tolerance, int max_iterations,
                              bool zero_guess, BasicCgWorkspace<System>& work, typename System::Out z,
                              const BasicRecycledSpace<System>* space) {
  auto& [r, s, p, q, recurrence] = work;
  device::copy(b, r);
  if (!zero_guess) {
    exact_hessian_product(system, z, q);
    device::add_scaled(r, -1, q);
  }
  if (space != nullptr) space->project(r, z);
  recurrence.begin(r, tolerance);
  const auto iteration = [&] {
    system.precondition_hessian(r, s);
    if (space != nullptr) space->deflate(r, s);
    recurrence.set_direction(r, s, p);
    system.hessian_product(p, q);
    recurrence.descend(p, q, z, r);
  };
  return recurrence.repeat(iteration, max_iterations);
}

template CgOutcome conjugate_gradients(const Objective&, std::span<const double>, double, int, bool, CgWorkspace&,
                                       std::span<double>, const RecycledSpace*);
template CgOutcome conjugate_gradients(const CudaObjective&, const device::CudaVector&, double, int, bool,
                                       BasicCgWorkspace<CudaObjective>&, device::CudaVector&,
                                       const BasicRecycledSpace<CudaObjective>*);

}  // namespace proxima::solve
