// A vector register of doubles, as wide as the instruction set at hand has it. For the `*_kernels.cpp` alone, which are
// compiled once for each instruction set: no external linkage, so that every copy keeps its own.
#pragma once

#ifdef __AVX2__
#include <immintrin.h>
#endif

#define PROXIMA_INLINE inline __attribute__((always_inline))

namespace proxima::factor {
namespace {

#if defined(__AVX512F__)
constexpr int lanes = 8;
#elif defined(__AVX2__)
constexpr int lanes = 4;
#else
constexpr int lanes = 2;
#endif

using Lanes = double __attribute__((vector_size(lanes * sizeof(double))));
// The same where the address need not be a multiple of the register's size.
using UnalignedLanes = double __attribute__((vector_size(lanes * sizeof(double)), aligned(sizeof(double))));

PROXIMA_INLINE Lanes load(const double* p) { return *reinterpret_cast<const Lanes*>(p); }
// GCC 12 makes four instructions of __builtin_convertvector where one would do.
PROXIMA_INLINE Lanes load(const float* p) {
#if defined(__AVX512F__)
  return (Lanes)_mm512_maskz_cvtps_pd(0xff, *reinterpret_cast<const __m256*>(p));
#elif defined(__AVX2__)
  return (Lanes)_mm256_cvtps_pd(*reinterpret_cast<const __m128*>(p));
#else
  return Lanes{p[0], p[1]};
#endif
}
PROXIMA_INLINE Lanes load_unaligned(const double* p) { return *reinterpret_cast<const UnalignedLanes*>(p); }
PROXIMA_INLINE void store(double* p, Lanes value) { *reinterpret_cast<Lanes*>(p) = value; }
PROXIMA_INLINE void store_unaligned(double* p, Lanes value) { *reinterpret_cast<UnalignedLanes*>(p) = value; }

// The sum of all lanes, halves first.
PROXIMA_INLINE double add_lanes(double* t) {
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int k = 0; k < half; ++k) t[k] += t[k + half];
  return t[0];
}

}  // namespace
}  // namespace proxima::factor
