#include <immintrin.h>
#include <sleef.h>

#include "bench/spectral/hand_written.hpp"

namespace proxima::bench::avx512 {
namespace {

using V = __m512d;
using M = decltype(V{} < V{});
constexpr int width = 8, sweeps = 7;
V set(double value) { return _mm512_set1_pd(value); }
V load(const double* p) { return _mm512_load_pd(p); }
void store(double* p, V v) { _mm512_store_pd(p, v); }
V sqrt(V v) { return _mm512_sqrt_pd(v); }
V acos(V v) { return Sleef_acosd8_u10avx512f(v); }
V cos(V v) { return Sleef_cosd8_u10avx512f(v); }
// An estimate of 14 bits and two steps of Newton's method.
V inverse_sqrt(V v) {
  V r = _mm512_rsqrt14_pd(v);
  for (int k = 0; k < 2; ++k) r = r * (1.5 - 0.5 * v * r * r);
  return r;
}

#include "bench/spectral/hand_written.inc"

}  // namespace

const HandWrittenDecompositions decompositions = {width, svd, polar};

}  // namespace proxima::bench::avx512
