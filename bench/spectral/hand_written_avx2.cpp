#include <immintrin.h>
#include <sleef.h>

#include "bench/spectral/hand_written.hpp"

namespace proxima::bench::avx2 {
namespace {

using V = __m256d;
using M = decltype(V{} < V{});
constexpr int width = 4, sweeps = 7;
V set(double value) { return _mm256_set1_pd(value); }
V load(const double* p) { return _mm256_load_pd(p); }
void store(double* p, V v) { _mm256_store_pd(p, v); }
V sqrt(V v) { return _mm256_sqrt_pd(v); }
V acos(V v) { return Sleef_acosd4_u10avx2(v); }
V cos(V v) { return Sleef_cosd4_u10avx2(v); }
V inverse_sqrt(V v) { return 1 / _mm256_sqrt_pd(v); }

#include "bench/spectral/hand_written.inc"

}  // namespace

const HandWrittenDecompositions decompositions = {width, svd, polar};

}  // namespace proxima::bench::avx2
