// The inner loops of the two sweeps over one supernode, with three right-hand sides: compiled once for each instruction
// set and chosen at run time. Results may differ between instruction sets, never between calls.
//
// Rows are the supernode's columns followed by its border; `own` is interleaved (3*column + axis); `at[r]` is where
// border row r lies in `vector`, also interleaved. `scratch` holds at least scratch_doubles(rows) and is aligned to 64
// bytes.
#pragma once

#include <cstdint>

namespace proxima::factor {

struct PanelView {
  const void* values = nullptr;  // double or float, laid out as panel.hpp says
  int columns = 0, rows = 0;
  const std::int32_t* at = nullptr;  // rows - columns
};

struct SweepKernels {
  // own <- D^-1 own; vector[border] -= R D^-1 own.
  void (*forward_fp64)(const PanelView& panel, double* own, double* vector, double* scratch);
  void (*forward_fp32)(const PanelView& panel, double* own, double* vector, double* scratch);
  // own <- W^T [own; -vector[border]].
  void (*backward_fp64)(const PanelView& panel, double* own, const double* vector, double* scratch);
  void (*backward_fp32)(const PanelView& panel, double* own, const double* vector, double* scratch);
};

int scratch_doubles(int rows);

extern const SweepKernels sweep_kernels_baseline;
extern const SweepKernels sweep_kernels_avx2;
extern const SweepKernels sweep_kernels_avx512;

}  // namespace proxima::factor
