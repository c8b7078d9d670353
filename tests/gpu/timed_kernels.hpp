// The kernels that are timed, on a body of tetrahedra, and their rivals.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/kernels/grid.hpp"
#include "compiler/ir/energy.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::gpu {

struct TimedKernel {
  std::string title;  // "neo_hookean, forces"
  emit::Precision precision = emit::Precision::fp64;
  ir::Kernel kernel;
  jit::testing::Batch batch;
  std::string rival;               // the kernel of hand_written.cu that does the same, "" where there is none
  std::vector<double> parameters;  // that it takes in the place of the kernel's
  double at_most = 0;  // how many times the rival's time, or where there is none the bytes' own, is allowed; 0: any
};

// Visits those whose energy is among `energies`; one after the other, since their fields are large.
void for_each_timed(const std::vector<ir::Energy>& energies, const bench::Grid& grid,
                    const std::function<void(const TimedKernel&)>& visit);

// Bytes that one element reads and writes: fields that the result depends on, node lists, results, and its share of
// the nodes, each read once.
double bytes_of(const TimedKernel& timed);

}  // namespace proxima::gpu
