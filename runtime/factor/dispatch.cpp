#include "runtime/factor/panel_shape.hpp"
#include "runtime/factor/sweep_kernels.hpp"

namespace proxima::factor {

const SweepKernels& sweep_kernels() {
  static const SweepKernels& best = []() -> const SweepKernels& {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
      return sweep_kernels_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return sweep_kernels_avx2;
#endif
    return sweep_kernels_baseline;
  }();
  return best;
}

int scratch_doubles(int rows) { return 3 * padded_rows(rows) + 3 * 8 * strip_columns; }

}  // namespace proxima::factor
