// The runtime on a GPU beside the processor: the solve with the factor, and that steps and gradients are the same.
#pragma once

#include <string>
#include <vector>

#include "compiler/jit/jit.hpp"
#include "runtime/device/cuda_engine.hpp"

namespace proxima::gpu {

struct RuntimeSizes {
  std::vector<int> grids = {17, 26, 40, 59};  // the factor of a box of so many cubes along each edge
  // Small models, compared; those whose names end so with products in fp32, or the preconditioner M.
  std::vector<std::string> scenes = {"mixed",
                                     "cantilever",
                                     "hexahedra",
                                     "sheet",
                                     "several_energies",
                                     "slides",
                                     "penalties",
                                     "boxes",
                                     "tied",
                                     "mixed_in_fp32",
                                     "sheet_in_fp32",
                                     "mixed_with_deflation",
                                     "cantilever_with_deflation",
                                     "sheet_with_deflation"};
};

struct RuntimeReport {
  std::string text;  // tables in Markdown, and a line for each result that is wrong
  int wrong = 0;
};

// `bandwidth`: of a copy, bytes a microsecond. Results count as wrong where solves differ by more than 1e-12 (fp64) or
// steps and gradients by more than 1e-9.
RuntimeReport check_runtime(device::CudaEngine& gpu, jit::Engine& engine, double bandwidth, const RuntimeSizes& sizes);

}  // namespace proxima::gpu
