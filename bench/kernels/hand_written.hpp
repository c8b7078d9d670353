// Neo-Hookean element kernels written by hand with vector intrinsics: the rival of the generated ones, on the same
// arrays. Psi = mu/2 (|F|^2 - 3) - mu log J + lambda/2 (log J)^2.
#pragma once

#include <cstdint>

namespace proxima::bench {

// Arrays as jit::CompiledKernel describes them. `direction` for hessian_vector only, `out`: 1 or 12 components.
template <class T>
struct NeoHookeanArrays {
  const T* positions;
  const T* direction;
  const T* gradients;
  const T* volume;
  T mu, lambda;
  const std::int32_t* nodes;
  std::int64_t tiles;
  T* out;
};

template <class T>
struct HandWritten {
  void (*energy)(const NeoHookeanArrays<T>&);
  void (*forces)(const NeoHookeanArrays<T>&);
  void (*hessian_vector)(const NeoHookeanArrays<T>&);
};

namespace avx512 {
extern const HandWritten<double> fp64;
extern const HandWritten<float> fp32;
}  // namespace avx512
namespace avx2 {
extern const HandWritten<double> fp64;
extern const HandWritten<float> fp32;
}  // namespace avx2

}  // namespace proxima::bench
