// An Objective on a GPU, as far as minimisations and linear systems need it: energies, gradients and Hessian products
// by the same kernels compiled for the GPU, A^-1 by the same factor copied there. It follows its Objective, which knows
// the step and the values; vectors are those of Objective, all nodes, zero on held ones in gradients and directions.
#pragma once

#include <optional>
#include <vector>

#include "runtime/factor/cuda_factor.hpp"
#include "runtime/solve/cuda_region.hpp"
#include "runtime/solve/objective.hpp"

namespace proxima::solve {

// The dual variable of alternating directions on a GPU, region by region: strain_components() rows, as long as those of
// the region's kernels. None for regions that take no proximal step.
using CudaDual = std::vector<std::optional<device::CudaVector>>;

// One thread of callers at a time. The same bits from run to run.
class CudaObjective {
 public:
  using Vector = device::CudaVector;
  using In = const device::CudaVector&;
  using Out = device::CudaVector&;
  using Dual = CudaDual;
  Vector vector() const { return {algebra_, 3 * objective_->nodes()}; }  // of zeros

  // All of them must stay where they are. Throws Error when the GPU has no memory for it.
  CudaObjective(device::CudaEngine& engine, const Objective& objective, const std::vector<RegionKernels>& regions,
                const Preconditioner& preconditioner);

  // Takes over the step that the Objective has entered and the values that it has: copies what has changed. To be
  // called before what is below.
  void follow();

  double elastic_energy(In x) const;              // J; not finite where x is outside the domain of an element's energy
  double elastic_difference(In x0, In x1) const;  // subtracted element by element
  void add_elastic_gradient(In x, Out y) const;   // N
  // As of Objective.
  void linearise(In x, derive::Quantity product = derive::Quantity::hessian_vector) const;
  void hessian_product(In direction, Out y) const;
  void precondition(In r, Out z) const;
  void precondition_hessian(In r, Out z) const { precondition(r, z); }
  void require_proximal_step(In x) const;
  Dual zero_dual() const;
  Dual equilibrium_dual(In x) const;
  void add_proximal_force(In x, Dual& dual, Out y) const;
  double gradient_rounding(In x) const;
  double energy_rounding() const { return objective_->energy_rounding(); }

  const device::CudaArray& inertia() const { return inertia_; }  // of the step, one a node, kg/s^2
  device::CudaAlgebra& algebra() const { return *algebra_; }

 private:
  std::shared_ptr<device::CudaAlgebra> algebra_;
  const Objective* objective_;
  const Preconditioner* preconditioner_;
  int factorization_ = 0;  // the one that the factor there is of
  mutable std::vector<CudaRegion> regions_;
  mutable factor::CudaFactor factor_;
  device::CudaArray inertia_, diagonal_, rows_;
  device::CudaVector previous_;
  mutable device::CudaVector compact_, linearised_;
  mutable derive::Quantity product_ = derive::Quantity::hessian_vector;
};

}  // namespace proxima::solve
