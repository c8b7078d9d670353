// The columns of Anderson's mixing on a GPU: all products come to the host in one copy, and all differences are taken
// by one launch.
#pragma once

#include "runtime/solve/methods/mixing_columns.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"

namespace proxima::solve {

template <>
class MixingColumns<CudaObjective> : public KeptColumns<CudaObjective> {
 public:
  using KeptColumns<CudaObjective>::KeptColumns;

  MixingProducts products(In f);  // waits
  // Queued; after products() of these columns.
  void take(std::span<const double> coefficients, CudaObjective::Out result);

 private:
  device::CudaArray table_, numbers_;  // addresses of the differences of f and of x + f; two numbers a column
};

}  // namespace proxima::solve
