// Compiled several times, with PROXIMA_INSTRUCTIONS naming the instruction set. Includes nothing that emits inline
// functions: a copy made for a newer processor could be the one the linker keeps.
#include "runtime/factor/column_kernels.hpp"

#include "runtime/factor/lanes.hpp"

namespace proxima::factor {
namespace {

constexpr int together = products_together;
#if defined(__AVX512F__)
constexpr int beside = 4;  // columns of b whose sums stay in registers together with those of four of a
#else
constexpr int beside = 2;
#endif

using Sums = double[together][together][lanes];

// sums[i][j] += lane-wise products, of `count` whole registers that end `lanes * skip` values before the columns' ends.
template <int rows, int columns>
PROXIMA_INLINE void accumulate(const double* const* a_end, const double* const* b_end, std::int64_t skip,
                               std::int64_t count, int i, int j, Sums& sums) {
  Lanes sum[rows][columns];
  for (int p = 0; p < rows; ++p)
    for (int q = 0; q < columns; ++q) sum[p][q] = load(sums[i + p][j + q]);
  for (std::int64_t k = skip + 1; k <= skip + count; ++k) {
    Lanes a[rows];
    for (int p = 0; p < rows; ++p) a[p] = load(a_end[i + p] - k * lanes);
    for (int q = 0; q < columns; ++q) {
      const Lanes b = load(b_end[j + q] - k * lanes);
      for (int p = 0; p < rows; ++p) sum[p][q] += a[p] * b;
    }
  }
  for (int p = 0; p < rows; ++p)
    for (int q = 0; q < columns; ++q) store(sums[i + p][j + q], sum[p][q]);
}

// From the ends down: first what all pairs share, then what a pair shares beyond that.
void products(const double* const* a_end, const double* const* b_end, const std::int32_t* shared, double* product) {
  alignas(64) Sums sums = {};
  std::int64_t common = shared[0] / lanes;
  for (int p = 1; p < together * together; ++p)
    if (shared[p] / lanes < common) common = shared[p] / lanes;
  for (int j = 0; j < together; j += beside) accumulate<together, beside>(a_end, b_end, 0, common, 0, j, sums);
  for (int i = 0; i < together; ++i)
    for (int j = 0; j < together; ++j) {
      const std::int32_t size = shared[together * i + j];
      accumulate<1, 1>(a_end, b_end, common, size / lanes - common, i, j, sums);
      double sum = add_lanes(sums[i][j]);
      for (std::int32_t k = size / lanes * lanes + 1; k <= size; ++k) sum += a_end[i][-k] * b_end[j][-k];
      product[together * i + j] = sum;
    }
}

// A register of values spread over three of interleaved ones: register v, lane k belongs to value (v lanes + k) / 3 and
// to axis (v lanes + k) % 3.
struct Spread {
  Lanes part[3];
};

#if defined(__AVX512F__)
PROXIMA_INLINE Spread spread(Lanes x) {
  return {{__builtin_shufflevector(x, x, 0, 0, 0, 1, 1, 1, 2, 2), __builtin_shufflevector(x, x, 2, 3, 3, 3, 4, 4, 4, 5),
           __builtin_shufflevector(x, x, 5, 5, 6, 6, 6, 7, 7, 7)}};
}
#elif defined(__AVX2__)
PROXIMA_INLINE Spread spread(Lanes x) {
  return {{__builtin_shufflevector(x, x, 0, 0, 0, 1), __builtin_shufflevector(x, x, 1, 1, 2, 2),
           __builtin_shufflevector(x, x, 2, 3, 3, 3)}};
}
#else
PROXIMA_INLINE Spread spread(Lanes x) {
  return {
      {__builtin_shufflevector(x, x, 0, 0), __builtin_shufflevector(x, x, 0, 1), __builtin_shufflevector(x, x, 1, 1)}};
}
#endif

void gather(const double* values, const PivotRun* runs, std::int32_t count, const double* y, double* sum) {
  Lanes total[3] = {};
  double rest[3] = {};
  for (std::int32_t r = 0; r < count; ++r) {
    const double* in = y + 3 * static_cast<std::int64_t>(runs[r].begin);
    std::int32_t k = 0;
    for (; k + lanes <= runs[r].size; k += lanes, values += lanes, in += 3 * lanes) {
      const Spread value = spread(load_unaligned(values));
      for (int v = 0; v < 3; ++v) total[v] += value.part[v] * load_unaligned(in + v * lanes);
    }
    for (; k < runs[r].size; ++k, ++values, in += 3)
      for (int axis = 0; axis < 3; ++axis) rest[axis] += *values * in[axis];
  }
  alignas(64) double totals[3 * lanes];
  for (int v = 0; v < 3; ++v) store(totals + v * lanes, total[v]);
  for (int axis = 0; axis < 3; ++axis) {
    sum[axis] = rest[axis];
    for (int k = axis; k < 3 * lanes; k += 3) sum[axis] += totals[k];
  }
}

void scatter(const double* values, const PivotRun* runs, std::int32_t count, const double* l, double* y) {
  alignas(64) double pattern[3 * lanes];
  for (int k = 0; k < 3 * lanes; ++k) pattern[k] = l[k % 3];
  Lanes factor[3];
  for (int v = 0; v < 3; ++v) factor[v] = load(pattern + v * lanes);
  for (std::int32_t r = 0; r < count; ++r) {
    double* out = y + 3 * static_cast<std::int64_t>(runs[r].begin);
    std::int32_t k = 0;
    for (; k + lanes <= runs[r].size; k += lanes, values += lanes, out += 3 * lanes) {
      const Spread value = spread(load_unaligned(values));
      for (int v = 0; v < 3; ++v)
        store_unaligned(out + v * lanes, load_unaligned(out + v * lanes) + value.part[v] * factor[v]);
    }
    for (; k < runs[r].size; ++k, ++values, out += 3)
      for (int axis = 0; axis < 3; ++axis) out[axis] += *values * l[axis];
  }
}

}  // namespace

#define PROXIMA_JOIN(a, b) a##b
#define PROXIMA_NAME(set) PROXIMA_JOIN(column_kernels_, set)

const ColumnKernels PROXIMA_NAME(PROXIMA_INSTRUCTIONS) = {
    .products = products,
    .gather = gather,
    .scatter = scatter,
};

}  // namespace proxima::factor
