// The inner loops over sparse columns of L^-1, whose values lie in runs of consecutive pivots: compiled once for each
// instruction set and chosen at run time. Results may differ between instruction sets, never between calls.
#pragma once

#include <cstdint>

namespace proxima::factor {

// Consecutive pivots.
struct PivotRun {
  std::int32_t begin = 0, size = 0;
};

inline constexpr int products_together = 4;

struct ColumnKernels {
  // product[4*i + j] = the sum over the last shared[4*i + j] values before a_end[i] and b_end[j], all ends aligned to
  // 64 bytes. A product has the same bits whatever stands beside it, and with a and b exchanged.
  void (*products)(const double* const* a_end, const double* const* b_end, const std::int32_t* shared, double* product);

  // sum[axis] = sum over the runs of value * y[3*pivot + axis].
  void (*gather)(const double* values, const PivotRun* runs, std::int32_t count, const double* y, double* sum);
  // y[3*pivot + axis] += value * l[axis].
  void (*scatter)(const double* values, const PivotRun* runs, std::int32_t count, const double* l, double* y);
};

extern const ColumnKernels column_kernels_baseline;
extern const ColumnKernels column_kernels_avx2;
extern const ColumnKernels column_kernels_avx512;

}  // namespace proxima::factor
