// The gather of element vectors to nodes (kernels/gather.cu) on a GPU, beside one written by hand.
#pragma once

#include <string>

#include "bench/kernels/grid.hpp"
#include "tests/gpu/timing.hpp"

namespace proxima::gpu {

// Sums some forces of the grid's elements to its nodes. Compared with the processor's gather to 1e-12 of the largest.
Measured measure_gather(device::CudaDevice& device, const jit::CudaStore& store, const std::string& architecture,
                        const std::string& hand_written, const bench::Grid& grid);

}  // namespace proxima::gpu
