// How long kernels take on a GPU, beside their hand-written rivals and the vector kernels of this machine's processor.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/ir/energy.hpp"
#include "compiler/jit/cuda_store.hpp"
#include "compiler/jit/kernel_store.hpp"
#include "runtime/device/cuda.hpp"

namespace proxima::gpu {

struct Time {
  double median = 0;  // microseconds
  double spread = 0;  // between the quartiles, of the median
};

struct Measured {
  std::string title;
  emit::Precision precision = emit::Precision::fp64;
  std::size_t elements = 0;
  double bytes = 0;  // an element
  int registers = 0, local_bytes = 0;
  Time device{}, rival{}, processor{};  // of the rival 0 where there is none
  double at_most = 0;                   // TimedKernel::at_most
  std::string difference;               // what is wrong with its results, "" if nothing
};

struct Timings {
  std::size_t elements = 0;
  double bandwidth = 0;  // of a copy, read and written, bytes a microsecond
  std::vector<Measured> kernels;
};

// On a cube of `cells`^3 * 6 tetrahedra. Results are compared with the processor's, and rivals with the generated.
Timings measure(const std::shared_ptr<device::CudaDevice>& device, const jit::CudaStore& store,
                jit::KernelStore& processor, const std::vector<ir::Energy>& energies, int cells);

// The times of `action`, of the device or by the clock.
Time time_of(const std::function<double()>& milliseconds, int repetitions);

}  // namespace proxima::gpu
