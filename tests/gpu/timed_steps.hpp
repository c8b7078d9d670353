// Whole steps and their gradient on a GPU, timed beside the processor.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "compiler/ir/energy.hpp"
#include "compiler/jit/jit.hpp"
#include "runtime/device/cuda_engine.hpp"

namespace proxima::gpu {

// Steps of a bar that is held and stirred, Neo-Hookean, to 1e-6, one bar for each number of cubes across: milliseconds
// a step on both, and what of the GPU's goes into applications of A^-1, products with H and elastic gradients, each
// timed alone. A table in Markdown.
std::string time_bars(device::CudaEngine& gpu, jit::Engine& engine, const std::vector<int>& across);

// DiffPhD's twist (section 5.2; tests/solve/contrast.hpp): the Armadillo in the file `mesh`, of one material, twisted
// by 1.5 rad and let go, so many steps of 1/30 s and the gradient of a loss through them, both to 1e-4. Tables in
// Markdown. `energy` has the parameters E and nu. Throws Error for a file that cannot be read.
std::string time_twist(device::CudaEngine& gpu, jit::Engine& engine, const std::filesystem::path& mesh,
                       const std::shared_ptr<const ir::Energy>& energy, int steps);

}  // namespace proxima::gpu
