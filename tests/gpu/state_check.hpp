// All kernels of energies on a GPU, at the states of the CPU's tests, against the interpreter.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/ir/energy.hpp"
#include "compiler/jit/cuda_store.hpp"
#include "runtime/device/cuda.hpp"

namespace proxima::gpu {

struct StateCheck {
  std::size_t kernels = 0, numbers = 0;
  std::size_t cancelled = 0;             // numbers that are right within the roundings of their formula alone
  double largest = 0;                    // difference of the other ones, of the largest entry of their field
  std::vector<std::string> differences;  // what is wrong, one line a kernel
  double seconds = 0;
};

// Compiles, loads, runs and compares, several at once.
StateCheck check_states(const std::shared_ptr<device::CudaDevice>& device, const jit::CudaStore& store,
                        const std::vector<ir::Energy>& energies, emit::Precision precision);

}  // namespace proxima::gpu
