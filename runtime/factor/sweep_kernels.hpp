// The inner loops of the two sweeps over one supernode, with three right-hand sides: compiled once for each instruction
// set and chosen at run time. Results may differ between instruction sets, never between calls or cuts into ranges.
//
// Rows are the supernode's columns followed by its border. `own` holds the columns' values, interleaved (3*column +
// axis); at[r] says where border row r lies in `vector`, also interleaved. `rows` holds the values of all rows axis by
// axis, each axis padded_rows() long and aligned to 64 bytes.
#pragma once

#include <cstdint>

namespace proxima::factor {

struct PanelView {
  const void* values = nullptr;        // double or float, laid out as panel_shape.hpp says
  std::int32_t columns = 0, size = 0;  // size: all rows
  const std::int32_t* at = nullptr;    // size - columns
};

struct SweepKernels {
  // Upward: rows[begin, end) <- (W own)[begin, end), begin and end multiples of block_rows but for the last end. Then
  // own <- the columns' rows; vector -= the border's rows.
  using ForwardRows = void(const PanelView& panel, std::int32_t begin, std::int32_t end, const double* own,
                           double* rows);
  ForwardRows *forward_fp64, *forward_fp32;
  void (*scatter)(const PanelView& panel, const double* rows, double* own, double* vector);

  // Downward: rows <- [own; -vector at the border]. Then own[begin, end) <- (W^T rows)[begin, end), begin and end
  // multiples of strip_columns but for the last end.
  void (*gather)(const PanelView& panel, const double* own, const double* vector, double* rows);
  using BackwardColumns = void(const PanelView& panel, std::int32_t begin, std::int32_t end, const double* rows,
                               double* own);
  BackwardColumns *backward_fp64, *backward_fp32;
};

extern const SweepKernels sweep_kernels_baseline;
extern const SweepKernels sweep_kernels_avx2;
extern const SweepKernels sweep_kernels_avx512;

}  // namespace proxima::factor
