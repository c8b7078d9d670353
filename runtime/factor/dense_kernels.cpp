// Compiled several times, with PROXIMA_INSTRUCTIONS naming the instruction set. Includes nothing that emits inline
// functions: a copy made for a newer processor could be the one the linker keeps.
#include "runtime/factor/dense_kernels.hpp"

namespace proxima::factor {
namespace {

// A tile's accumulators fill the vector registers of the instruction set and leave room for a column of A.
#if defined(__AVX512F__)
constexpr int lanes = 8, tile_parts = 3, tile_columns = 8;
#elif defined(__AVX2__)
constexpr int lanes = 4, tile_parts = 3, tile_columns = 4;
#else
constexpr int lanes = 2, tile_parts = 2, tile_columns = 4;
#endif
constexpr int tile_rows = lanes * tile_parts;

using Lanes = double __attribute__((vector_size(lanes * sizeof(double))));
using LooseLanes = double __attribute__((vector_size(lanes * sizeof(double)), aligned(alignof(double))));

template <int height>
void pack_rows(const double* from, std::int64_t leading, int rows, int columns, double* packed) {
  for (int row = 0; row < rows; row += height) {
    const double* column = from + row;
    if (rows - row >= height) {
      for (int c = 0; c < columns; ++c, column += leading, packed += height)
        for (int r = 0; r < height; ++r) packed[r] = column[r];
    } else {
      for (int c = 0; c < columns; ++c, column += leading, packed += height)
        for (int r = 0; r < height; ++r) packed[r] = r < rows - row ? column[r] : 0;
    }
  }
}

void pack_right(const double* from, std::int64_t leading, int n, int k, double* packed) {
  for (int column = 0; column < n; column += tile_columns)
    for (int p = 0; p < k; ++p, packed += tile_columns)
      for (int c = 0; c < tile_columns; ++c) packed[c] = column + c < n ? from[(column + c) * leading + p] : 0;
}

template <Product product>
inline __attribute__((always_inline)) void tile(const double* a, const double* b, int k, double* c,
                                                std::int64_t leading) {
  Lanes sum[tile_columns][tile_parts] = {};
  for (int p = 0; p < k; ++p, a += tile_rows, b += tile_columns) {
    Lanes column[tile_parts];
    for (int q = 0; q < tile_parts; ++q) column[q] = *reinterpret_cast<const Lanes*>(a + q * lanes);
    for (int j = 0; j < tile_columns; ++j)
      for (int q = 0; q < tile_parts; ++q) sum[j][q] += column[q] * b[j];
  }
  for (int j = 0; j < tile_columns; ++j, c += leading)
    for (int q = 0; q < tile_parts; ++q) {
      LooseLanes& out = *reinterpret_cast<LooseLanes*>(c + q * lanes);
      if (product == Product::subtract)
        out = out - sum[j][q];
      else
        out = product == Product::assign ? sum[j][q] : -sum[j][q];
    }
}

template <Product product>
void multiply_tiles(const double* a, const double* b, int m, int n, int k, int below, double* c, std::int64_t leading) {
  for (int column = 0; column < n; column += tile_columns, b += k * tile_columns)
    for (int row = 0; row < m; row += tile_rows)
      if (row + tile_rows + below > column)
        tile<product>(a + static_cast<std::int64_t>(row) * k, b, k, c + column * leading + row, leading);
}

void multiply(const double* a, const double* b, int m, int n, int k, Product product, int below, double* c,
              std::int64_t leading) {
  if (product == Product::subtract)
    multiply_tiles<Product::subtract>(a, b, m, n, k, below, c, leading);
  else if (product == Product::assign)
    multiply_tiles<Product::assign>(a, b, m, n, k, below, c, leading);
  else
    multiply_tiles<Product::assign_negated>(a, b, m, n, k, below, c, leading);
}

int factor_diagonal(double* a, std::int64_t leading, int size, double* inverse) {
  for (int j = 0; j < size; ++j) {
    double* column = a + j * leading;
    const double pivot = column[j];
    if (!(pivot > 0) || pivot - pivot != 0) return j;
    const double root = __builtin_sqrt(pivot), scale = 1 / root;
    column[j] = root;
    for (int i = j + 1; i < size; ++i) column[i] *= scale;
    for (int c = j + 1; c < size; ++c) {
      double* later = a + c * leading;
      const double factor = column[c];
      for (int i = c; i < size; ++i) later[i] -= column[i] * factor;
    }
  }
  for (int j = 0; j < size; ++j) {
    double* x = inverse + static_cast<std::int64_t>(j) * size;
    for (int i = 0; i < size; ++i) x[i] = i == j;
    for (int k = j; k < size; ++k) {
      const double* column = a + k * leading;
      const double value = x[k] / column[k];
      x[k] = value;
      for (int i = k + 1; i < size; ++i) x[i] -= column[i] * value;
    }
  }
  return -1;
}

int eliminate_columns(double* a, std::int64_t leading, int rows, int columns, std::int32_t* exchanged) {
  for (int j = 0; j < columns; ++j) {
    double* column = a + j * leading;
    int largest = j;
    for (int i = j + 1; i < rows; ++i)
      if (__builtin_fabs(column[i]) > __builtin_fabs(column[largest])) largest = i;
    const double pivot = column[largest];
    if (pivot == 0 || pivot - pivot != 0) return j;
    exchanged[j] = largest;
    for (int c = 0; c < columns; ++c) {
      double* both = a + c * leading;
      const double value = both[j];
      both[j] = both[largest];
      both[largest] = value;
    }
    for (int i = j + 1; i < rows; ++i) column[i] /= pivot;
    for (int c = j + 1; c < columns; ++c) {
      double* later = a + c * leading;
      const double factor = later[j];
      for (int i = j + 1; i < rows; ++i) later[i] -= column[i] * factor;
    }
  }
  return -1;
}

void solve_unit_lower(const double* l, std::int64_t leading, int size, double* b, std::int64_t leading_b, int columns) {
  for (int c = 0; c < columns; ++c, b += leading_b)
    for (int k = 0; k < size; ++k) {
      const double* column = l + k * leading;
      const double value = b[k];
      for (int i = k + 1; i < size; ++i) b[i] -= column[i] * value;
    }
}

void scatter_add(const double* source, const std::int32_t* place, std::int64_t count, double* target) {
  constexpr int run = 8;
  std::int64_t i = 0;
  for (; i + run <= count; i += run) {
    if (place[i + run - 1] - place[i] == run - 1) {
      double* out = target + place[i];
      for (int k = 0; k < run; ++k) out[k] += source[i + k];
    } else {
      for (int k = 0; k < run; ++k) target[place[i + k]] += source[i + k];
    }
  }
  for (; i < count; ++i) target[place[i]] += source[i];
}

}  // namespace

#define PROXIMA_JOIN(a, b) a##b
#define PROXIMA_NAME(set) PROXIMA_JOIN(dense_kernels_, set)

const DenseKernels PROXIMA_NAME(PROXIMA_INSTRUCTIONS) = {
    .tile_rows = tile_rows,
    .tile_columns = tile_columns,
    .pack_left = pack_rows<tile_rows>,
    .pack_right_transposed = pack_rows<tile_columns>,
    .pack_right = pack_right,
    .multiply = multiply,
    .factor_diagonal = factor_diagonal,
    .eliminate_columns = eliminate_columns,
    .solve_unit_lower = solve_unit_lower,
    .scatter_add = scatter_add,
};

}  // namespace proxima::factor
