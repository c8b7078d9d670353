// A vector like another, wherever vectors are.
#pragma once

#include <span>
#include <vector>

#include "runtime/device/cuda_vector.hpp"

namespace proxima::solve {

inline std::vector<double> copied(std::span<const double> v) { return {v.begin(), v.end()}; }
inline device::CudaVector copied(const device::CudaVector& v) {
  device::CudaVector result = device::like(v);
  device::copy(v, result);
  return result;
}

}  // namespace proxima::solve
