#include "runtime/factor/kernels.hpp"

namespace proxima::factor {

const std::vector<Kernels>& available_kernels() {
  static const std::vector<Kernels> all = [] {
    std::vector<Kernels> list{{"baseline", dense_kernels_baseline, sweep_kernels_baseline, column_kernels_baseline}};
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      list.push_back({"avx2", dense_kernels_avx2, sweep_kernels_avx2, column_kernels_avx2});
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
      list.push_back({"avx512", dense_kernels_avx512, sweep_kernels_avx512, column_kernels_avx512});
#endif
    return list;
  }();
  return all;
}

}  // namespace proxima::factor
