// Many worlds of one body side by side on a GPU, free or in contact, timed beside one of them alone and beside the
// processor.
#pragma once

#include "tests/gpu/runtime_check.hpp"

namespace proxima::gpu {

struct WorldSizes {
  int worlds = 256;  // 0: none
  int across = 7;    // cubes of the bar: 17 x 7 x 7, 4 998 tets
  int blocks = 64;   // 0: none
  int refined = 4;   // of the block (bodies::ContactScene): 289 contacts
};

// Steps of a bar that is held, and stirred in each world at a speed of its own, and of blocks that slide, each down a
// slope of its own; Neo-Hookean, to 1e-6. Worlds count as
// wrong where they differ from what they are alone there by more than 1e-12 of the positions, or from the processor by
// more than 1e-5 (what the tolerance leaves open).
RuntimeReport check_worlds(device::CudaEngine& gpu, jit::Engine& engine, const WorldSizes& sizes);

}  // namespace proxima::gpu
