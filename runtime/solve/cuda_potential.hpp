// The incremental potential of one step on a GPU (potential.hpp).
#pragma once

#include "runtime/solve/cuda_objective.hpp"
#include "runtime/solve/potential.hpp"

namespace proxima::solve {

class CudaPotential {
 public:
  using System = CudaObjective;

  // The step that the potential's objective has entered, which `objective` takes over.
  CudaPotential(CudaObjective& objective, const Potential& potential);

  const CudaObjective& objective() const { return *objective_; }
  // As of Potential; not finite outside the domain, without saying where.
  ElasticEnergy value(const device::CudaVector& x) const;
  ElasticEnergy difference(const device::CudaVector& x0, const device::CudaVector& x1) const;
  void gradient(const device::CudaVector& x, device::CudaVector& result) const;
  void proximal_gradient(const device::CudaVector& x, CudaDual& dual, device::CudaVector& result) const;

 private:
  void set_imbalance(const device::CudaVector& x, device::CudaVector& result) const;
  double rest(const device::CudaVector& x0, const device::CudaVector& x1) const;

  CudaObjective* objective_;
  device::CudaVector start_, force_;
};

}  // namespace proxima::solve
