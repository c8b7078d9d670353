// The incremental potential of one step on a GPU (potential.hpp).
#pragma once

#include "runtime/solve/objective/cuda_objective.hpp"
#include "runtime/solve/objective/potential.hpp"

namespace proxima::solve {

struct CudaElasticPoint {
  ElasticEnergy energy;
  device::CudaVector gradient;
};

class CudaPotential {
 public:
  using System = CudaObjective;

  // For the step that the objective has entered. `start`: x*, `force`: p, zero on held nodes.
  CudaPotential(const CudaObjective& objective, device::CudaVector start, device::CudaVector force)
      : objective_(&objective), start_(std::move(start)), force_(std::move(force)) {}

  const CudaObjective& objective() const { return *objective_; }
  // As of Potential; not finite outside the domain, without saying where.
  ElasticEnergy value(const device::CudaVector& x) const;
  CudaElasticPoint elastic(const device::CudaVector& x) const;  // the elements' part of both
  void gradient(const device::CudaVector& x, device::CudaVector& result) const;
  // With the energies of all elements at x.
  void gradient(const device::CudaVector& x, CudaItemEnergies& energies, device::CudaVector& result) const;
  void proximal_gradient(const device::CudaVector& x, CudaDual& dual, device::CudaVector& result) const;
  const device::CudaVector& start() const { return start_; }
  const device::CudaVector& force() const { return force_; }
  device::CudaVector imbalance(const device::CudaVector& x) const;

 private:
  void set_imbalance(const device::CudaVector& x, device::CudaVector& result) const;

  const CudaObjective* objective_;
  device::CudaVector start_, force_;
};

}  // namespace proxima::solve
