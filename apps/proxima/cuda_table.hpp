// All kernels of an energy as code for GPUs, and what they take of one. For explain and compile.
#pragma once

#include <string>
#include <vector>

#include "compiler/emit/target.hpp"
#include "compiler/ir/energy.hpp"
#include "compiler/jit/nvrtc.hpp"

namespace proxima::app {

struct CudaKernel {
  std::string name;    // "hessian_vector"
  std::string energy;  // whose it is
  std::string architecture;
  emit::Precision precision;
  jit::CudaCode code;
};

// Kernel after kernel, each for all architectures. Throws Error where there is no NVRTC, or it doesn't know one.
std::vector<CudaKernel> cuda_kernels(const ir::Energy& energy, emit::Precision precision,
                                     const std::vector<std::string>& architectures);

// A warning on stderr for each that spills.
void print_cuda_table(const std::vector<CudaKernel>& kernels);

}  // namespace proxima::app
