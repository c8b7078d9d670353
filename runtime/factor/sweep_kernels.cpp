// Compiled several times, with PROXIMA_INSTRUCTIONS naming the instruction set. Includes nothing that emits inline
// functions: a copy made for a newer processor could be the one the linker keeps.
#include "runtime/factor/sweep_kernels.hpp"

#include "runtime/factor/lanes.hpp"
#include "runtime/factor/panel_shape.hpp"

namespace proxima::factor {
namespace {

// Rows that a pass over a block takes together: as many as leave room in the registers for what goes with them.
#if defined(__AVX512F__)
constexpr int forward_rows = 16, backward_rows = 16;
#elif defined(__AVX2__)
constexpr int forward_rows = 16, backward_rows = 8;
#else
constexpr int forward_rows = 8, backward_rows = 4;
#endif
constexpr int prefetch_bytes = 2048;

template <int height, class T>
PROXIMA_INLINE void prefetch(const T* w) {
  for (int byte = 0; byte < height * static_cast<int>(sizeof(T)); byte += 64)
    __builtin_prefetch(reinterpret_cast<const char*>(w) + prefetch_bytes + byte);
}

// u[axis][rows of the block] += (block) (own): `height` rows, `width` columns. Returns the end of the block.
template <int height, class T>
PROXIMA_INLINE const T* multiply(const T* w, int width, const double* own, double* u, std::int64_t stride, bool first) {
  constexpr int together = height < forward_rows ? height : forward_rows, parts = together / lanes;
  for (int row = 0; row < height; row += together, u += together) {
    Lanes sum[3][parts];
    for (int axis = 0; axis < 3; ++axis)
      for (int p = 0; p < parts; ++p) sum[axis][p] = first ? Lanes{} : load(u + axis * stride + p * lanes);
    const T* entry = w + row;
    const double* x = own;
    for (int c = 0; c < width; ++c, entry += height, x += 3) {
      if (row == 0) prefetch<height>(entry);
      for (int p = 0; p < parts; ++p) {
        const Lanes value = load(entry + p * lanes);
        for (int axis = 0; axis < 3; ++axis) sum[axis][p] += value * x[axis];
      }
    }
    for (int axis = 0; axis < 3; ++axis)
      for (int p = 0; p < parts; ++p) store(u + axis * stride + p * lanes, sum[axis][p]);
  }
  return w + width * height;
}

// total[column][axis] += lane-wise products of the block with v[axis][rows of the block]. Returns the end of the block.
template <int height, class T>
PROXIMA_INLINE const T* multiply_transposed(const T* w, int width, const double* v, std::int64_t stride,
                                            double* total) {
  constexpr int together = height < backward_rows ? height : backward_rows, parts = together / lanes;
  for (int row = 0; row < height; row += together, v += together) {
    Lanes value[3][parts];
    for (int axis = 0; axis < 3; ++axis)
      for (int p = 0; p < parts; ++p) value[axis][p] = load(v + axis * stride + p * lanes);
    const T* column = w + row;
    double* sums = total;
    for (int c = 0; c < width; ++c, column += height, sums += 3 * lanes) {
      if (row == 0) prefetch<height>(column);
      Lanes entry[parts];
      for (int p = 0; p < parts; ++p) entry[p] = load(column + p * lanes);
      for (int axis = 0; axis < 3; ++axis) {
        Lanes sum = load(sums + axis * lanes);
        for (int p = 0; p < parts; ++p) sum += entry[p] * value[axis][p];
        store(sums + axis * lanes, sum);
      }
    }
  }
  return w + width * height;
}

template <class T>
void forward(const PanelView& panel, std::int32_t begin, std::int32_t end, const double* own, double* rows) {
  const std::int64_t stride = padded_rows(panel.size);
  std::int64_t strip = 0;
  for (int column = 0; column < panel.columns && column < end; column += strip_columns) {
    const int width = strip_width(panel.columns, column), height = panel.size - column;
    const int first = begin > column ? begin - column : 0;
    const T* w = static_cast<const T*>(panel.values) + strip + strip_entries(width, first);
    const double* x = own + 3 * column;
    double* out = rows + column;
    for (int row = first; row < end - column; row += block_rows) {
      const int reach = block_width(width, height, row);
      if (block_height(height, row) == block_rows)
        w = multiply<block_rows>(w, reach, x, out + row, stride, column == 0);
      else
        w = multiply<tail_rows>(w, reach, x, out + row, stride, column == 0);
    }
    strip += strip_entries(width, height);
  }
}

template <class T>
void backward(const PanelView& panel, std::int32_t begin, std::int32_t end, const double* rows, double* own) {
  const std::int64_t stride = padded_rows(panel.size);
  alignas(64) double total[3 * strip_columns * lanes];
  std::int64_t strip = 0;
  for (int column = 0; column < end; column += strip_columns) {
    const int width = strip_width(panel.columns, column), height = panel.size - column;
    const T* w = static_cast<const T*>(panel.values) + strip;
    strip += strip_entries(width, height);
    if (column < begin) continue;
    for (int k = 0; k < 3 * width; ++k) store(total + k * lanes, Lanes{});
    const double* in = rows + column;
    for (int row = 0; row < height; row += block_rows) {
      const int reach = block_width(width, height, row);
      if (block_height(height, row) == block_rows)
        w = multiply_transposed<block_rows>(w, reach, in + row, stride, total);
      else
        w = multiply_transposed<tail_rows>(w, reach, in + row, stride, total);
    }
    for (int k = 0; k < 3 * width; ++k) own[3 * column + k] = add_lanes(total + k * lanes);
  }
}

void scatter(const PanelView& panel, const double* rows, double* own, double* vector) {
  const std::int64_t stride = padded_rows(panel.size);
  for (int r = 0; r < panel.columns; ++r)
    for (int axis = 0; axis < 3; ++axis) own[3 * r + axis] = rows[axis * stride + r];
  const double* border = rows + panel.columns;
  for (int r = 0; r < panel.size - panel.columns; ++r) {
    double* target = vector + 3 * static_cast<std::int64_t>(panel.at[r]);
    for (int axis = 0; axis < 3; ++axis) target[axis] -= border[axis * stride + r];
  }
}

void gather(const PanelView& panel, const double* own, const double* vector, double* rows) {
  const std::int64_t stride = padded_rows(panel.size);
  for (int r = 0; r < panel.columns; ++r)
    for (int axis = 0; axis < 3; ++axis) rows[axis * stride + r] = own[3 * r + axis];
  for (int r = panel.columns; r < panel.size; ++r) {
    const double* source = vector + 3 * static_cast<std::int64_t>(panel.at[r - panel.columns]);
    for (int axis = 0; axis < 3; ++axis) rows[axis * stride + r] = -source[axis];
  }
  for (int axis = 0; axis < 3; ++axis)
    for (std::int64_t r = panel.size; r < stride; ++r) rows[axis * stride + r] = 0;
}

}  // namespace

#define PROXIMA_JOIN(a, b) a##b
#define PROXIMA_NAME(set) PROXIMA_JOIN(sweep_kernels_, set)

const SweepKernels PROXIMA_NAME(PROXIMA_INSTRUCTIONS) = {
    .forward_fp64 = forward<double>,
    .forward_fp32 = forward<float>,
    .scatter = scatter,
    .gather = gather,
    .backward_fp64 = backward<double>,
    .backward_fp32 = backward<float>,
};

}  // namespace proxima::factor
