#include <immintrin.h>
#include <sleef.h>

#include "bench/kernels/hand_written.hpp"

namespace proxima::bench::avx2 {
namespace {

template <class T>
struct Lanes;

template <>
struct Lanes<double> {
  using V = __m256d;
  using I = __m128i;
  static constexpr int width = 4;
  static V set(double value) { return _mm256_set1_pd(value); }
  static V load(const double* p) { return _mm256_load_pd(p); }
  static void store(double* p, V v) { _mm256_store_pd(p, v); }
  static I load_index(const std::int32_t* p) { return _mm_load_si128(reinterpret_cast<const __m128i*>(p)); }
  static I times_three(I i) { return _mm_add_epi32(i, _mm_add_epi32(i, i)); }
  static V gather(const double* base, I index) { return _mm256_i32gather_pd(base, index, 8); }
  static V log(V v) { return Sleef_logd4_u10avx2(v); }
};

template <>
struct Lanes<float> {
  using V = __m256;
  using I = __m256i;
  static constexpr int width = 8;
  static V set(float value) { return _mm256_set1_ps(value); }
  static V load(const float* p) { return _mm256_load_ps(p); }
  static void store(float* p, V v) { _mm256_store_ps(p, v); }
  static I load_index(const std::int32_t* p) { return _mm256_load_si256(reinterpret_cast<const __m256i*>(p)); }
  static I times_three(I i) { return _mm256_add_epi32(i, _mm256_add_epi32(i, i)); }
  static V gather(const float* base, I index) { return _mm256_i32gather_ps(base, index, 4); }
  static V log(V v) { return Sleef_logf8_u10avx2(v); }
};

#include "bench/kernels/hand_written.inc"

}  // namespace

const HandWritten<double> fp64 = {energy<double>, forces<double>, hessian_vector<double>};
const HandWritten<float> fp32 = {energy<float>, forces<float>, hessian_vector<float>};

}  // namespace proxima::bench::avx2
