// Every kernel that a simulation may launch, with elements at the states of the CPU's tests.
#pragma once

#include <vector>

#include "compiler/ir/energy.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::gpu {

struct Case {
  ir::Kernel kernel;
  jit::testing::Batch batch;
};

// On the simplest shape that the energy lives on: element kernels, those of the strain alone, local steps.
std::vector<Case> cases_of(const ir::Energy& energy);

}  // namespace proxima::gpu
