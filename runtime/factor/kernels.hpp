// The kernels for the processor at hand.
#pragma once

#include <vector>

#include "runtime/factor/column_kernels.hpp"
#include "runtime/factor/dense_kernels.hpp"
#include "runtime/factor/sweep_kernels.hpp"

namespace proxima::factor {

struct Kernels {
  const char* instructions;
  const DenseKernels& dense;
  const SweepKernels& sweep;
  const ColumnKernels& column;
};

// Those that this processor runs, the best last.
const std::vector<Kernels>& available_kernels();

inline const Kernels& kernels() { return available_kernels().back(); }

}  // namespace proxima::factor
