// Forces of contacts that answer by penalties (PenaltyCoupling) from what these are moved by, wherever vectors are.
#pragma once

#include "runtime/factor/cuda_dense_lu.hpp"
#include "runtime/solve/contact/cuda_block_rows.hpp"
#include "runtime/solve/contact/penalty_point.hpp"

namespace proxima::solve {

// References are kept to the coupling, which has to exist().
template <class System>  // Objective, or CudaObjective
class PenaltyForces;

template <>
class PenaltyForces<Objective> {
 public:
  PenaltyForces(const Objective&, const PenaltyCoupling& coupling) : coupling_(coupling) {}
  void operator()(std::span<const double> u, std::span<double> forces) { coupling_.forces(u, forces); }

 private:
  const PenaltyCoupling& coupling_;
};

template <>
class PenaltyForces<CudaObjective> {
 public:
  PenaltyForces(const CudaObjective& objective, const PenaltyCoupling& coupling);
  void operator()(const device::CudaVector& u, device::CudaVector& forces);

 private:
  const CudaObjective& objective_;
  CudaBlockRows blocks_;  // K of those that answer
  factor::CudaDenseLu lu_;
  device::CudaArray active_;
  device::CudaVector of_active_;
};

}  // namespace proxima::solve
