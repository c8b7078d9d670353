// Steps with contact on a GPU, timed beside the processor.
#pragma once

#include <string>
#include <vector>

#include "compiler/jit/jit.hpp"
#include "runtime/device/cuda_engine.hpp"

namespace proxima::gpu {

// Steps of a block of 4 r x 4 r x 2 r cubes that slides down a plane, to 1e-6, r each of these: milliseconds a step on
// both, and how many contacts, Newton steps and A-solves it takes. A table in Markdown.
std::string time_blocks(device::CudaEngine& gpu, jit::Engine& engine, const std::vector<int>& refined);

}  // namespace proxima::gpu
