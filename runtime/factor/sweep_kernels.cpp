// Compiled several times, with PROXIMA_INSTRUCTIONS naming the instruction set. Includes nothing that emits inline
// functions: a copy made for a newer processor could be the one the linker keeps.
#include "runtime/factor/sweep_kernels.hpp"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "runtime/factor/panel_shape.hpp"

namespace proxima::factor {
namespace {

using Lanes = double __attribute__((vector_size(64)));
using FloatLanes = float __attribute__((vector_size(32)));
constexpr int lanes = 8;
constexpr int prefetch_bytes = 2048;

#define PROXIMA_INLINE inline __attribute__((always_inline))

PROXIMA_INLINE Lanes load(const double* p) { return *reinterpret_cast<const Lanes*>(p); }
PROXIMA_INLINE Lanes load(const float* p) {
#ifdef __AVX512F__
  return (Lanes)_mm512_maskz_cvtps_pd(
      0xff, *reinterpret_cast<const __m256*>(p));  // GCC 12 makes four instructions of the line below
#else
  return __builtin_convertvector(*reinterpret_cast<const FloatLanes*>(p), Lanes);
#endif
}
PROXIMA_INLINE void store(double* p, Lanes value) { *reinterpret_cast<Lanes*>(p) = value; }

// u[axis][rows of the block] += (block) (own): `height` rows, `width` columns.
template <int height, class T>
PROXIMA_INLINE const T* multiply(const T* w, int width, const double* own, double* u, long stride, bool first) {
  constexpr int parts = height / lanes;
  Lanes sum[3][parts];
  for (int axis = 0; axis < 3; ++axis)
    for (int p = 0; p < parts; ++p) sum[axis][p] = first ? Lanes{} : load(u + axis * stride + p * lanes);
  for (int c = 0; c < width; ++c, w += height, own += 3) {
    __builtin_prefetch(reinterpret_cast<const char*>(w) + prefetch_bytes);
    if (sizeof(T) * height > 64) __builtin_prefetch(reinterpret_cast<const char*>(w) + prefetch_bytes + 64);
    for (int p = 0; p < parts; ++p) {
      const Lanes value = load(w + p * lanes);
      for (int axis = 0; axis < 3; ++axis) sum[axis][p] += value * own[axis];
    }
  }
  for (int axis = 0; axis < 3; ++axis)
    for (int p = 0; p < parts; ++p) store(u + axis * stride + p * lanes, sum[axis][p]);
  return w;
}

// total[column][axis] += lane-wise products of the block with v[axis][rows of the block].
template <int height, class T>
PROXIMA_INLINE const T* multiply_transposed(const T* w, int width, const double* v, long stride, double* total) {
  constexpr int parts = height / lanes;
  Lanes value[3][parts];
  for (int axis = 0; axis < 3; ++axis)
    for (int p = 0; p < parts; ++p) value[axis][p] = load(v + axis * stride + p * lanes);
  for (int c = 0; c < width; ++c, w += height, total += 3 * lanes) {
    __builtin_prefetch(reinterpret_cast<const char*>(w) + prefetch_bytes);
    if (sizeof(T) * height > 64) __builtin_prefetch(reinterpret_cast<const char*>(w) + prefetch_bytes + 64);
    Lanes entry[parts];
    for (int p = 0; p < parts; ++p) entry[p] = load(w + p * lanes);
    for (int axis = 0; axis < 3; ++axis) {
      Lanes sum = load(total + axis * lanes);
      for (int p = 0; p < parts; ++p) sum += entry[p] * value[axis][p];
      store(total + axis * lanes, sum);
    }
  }
  return w;
}

template <class T>
void forward(const PanelView& panel, double* own, double* vector, double* scratch) {
  const T* w = static_cast<const T*>(panel.values);
  const long stride = padded_rows(panel.rows);
  double* u = scratch;
  for (int column = 0; column < panel.columns; column += strip_columns) {
    const int columns = strip_width(panel.columns, column);
    double* out = u + column;
    for_blocks(columns, panel.rows - column, [&](int row, int height, int width) __attribute__((always_inline)) {
      if (height == block_rows)
        w = multiply<block_rows>(w, width, own + 3 * column, out + row, stride, column == 0);
      else
        w = multiply<tail_rows>(w, width, own + 3 * column, out + row, stride, column == 0);
    });
  }
  for (int r = 0; r < panel.columns; ++r)
    for (int axis = 0; axis < 3; ++axis) own[3 * r + axis] = u[axis * stride + r];
  u += panel.columns;
  for (int r = 0; r < panel.rows - panel.columns; ++r) {
    double* target = vector + 3 * static_cast<long>(panel.at[r]);
    for (int axis = 0; axis < 3; ++axis) target[axis] -= u[axis * stride + r];
  }
}

template <class T>
void backward(const PanelView& panel, double* own, const double* vector, double* scratch) {
  const T* w = static_cast<const T*>(panel.values);
  const long stride = padded_rows(panel.rows);
  double* v = scratch;
  double* total = scratch + 3 * stride;
  for (int r = 0; r < panel.columns; ++r)
    for (int axis = 0; axis < 3; ++axis) v[axis * stride + r] = own[3 * r + axis];
  for (int r = panel.columns; r < panel.rows; ++r) {
    const double* source = vector + 3 * static_cast<long>(panel.at[r - panel.columns]);
    for (int axis = 0; axis < 3; ++axis) v[axis * stride + r] = -source[axis];
  }
  for (int axis = 0; axis < 3; ++axis)
    for (long r = panel.rows; r < stride; ++r) v[axis * stride + r] = 0;
  for (int column = 0; column < panel.columns; column += strip_columns) {
    const int columns = strip_width(panel.columns, column);
    for (int k = 0; k < 3 * columns; ++k) store(total + k * lanes, Lanes{});
    const double* in = v + column;
    for_blocks(columns, panel.rows - column, [&](int row, int height, int width) __attribute__((always_inline)) {
      if (height == block_rows)
        w = multiply_transposed<block_rows>(w, width, in + row, stride, total);
      else
        w = multiply_transposed<tail_rows>(w, width, in + row, stride, total);
    });
    for (int k = 0; k < 3 * columns; ++k) {
      const double* t = total + k * lanes;
      own[3 * column + k] = ((t[0] + t[4]) + (t[2] + t[6])) + ((t[1] + t[5]) + (t[3] + t[7]));
    }
  }
}

}  // namespace

#define PROXIMA_JOIN(a, b) a##b
#define PROXIMA_NAME(set) PROXIMA_JOIN(sweep_kernels_, set)

const SweepKernels PROXIMA_NAME(PROXIMA_INSTRUCTIONS) = {
    .forward_fp64 = forward<double>,
    .forward_fp32 = forward<float>,
    .backward_fp64 = backward<double>,
    .backward_fp32 = backward<float>,
};

}  // namespace proxima::factor
