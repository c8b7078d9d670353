// The inner loops of the dense work on fronts: compiled once for each instruction set and chosen at run time. Matrices
// are column-major. Why not a BLAS: docs/rooms/factor.md.
#pragma once

#include <cstdint>

namespace proxima::factor {

// What becomes of C when the product A B has been formed.
enum class Product : std::uint8_t { subtract, assign, assign_negated };

struct DenseKernels {
  // A product is formed in tiles of this size; C is written in whole tiles, so it needs that much room past its last
  // row and its last column.
  int tile_rows, tile_columns;

  // Packs an m x k matrix for the left side of a product.
  void (*pack_left)(const double* a, std::int64_t leading, int m, int k, double* packed);
  // Packs the transpose of an n x k matrix, or a k x n matrix, for the right side.
  void (*pack_right_transposed)(const double* b, std::int64_t leading, int n, int k, double* packed);
  void (*pack_right)(const double* b, std::int64_t leading, int n, int k, double* packed);

  // C (m x n) from packed A and B. Tiles wholly above the diagonal row + below = column are left out.
  void (*multiply)(const double* a, const double* b, int m, int n, int k, Product product, int below, double* c,
                   std::int64_t leading);

  // A = L L^T in place (lower triangle of size x size), and L^-1 with zeros above its diagonal (leading dimension
  // size). Returns the column whose pivot is not a positive finite number, or -1.
  int (*factor_diagonal)(double* a, std::int64_t leading, int size, double* inverse);

  // P A = L U in place for `columns` columns of a matrix with at least as many rows; in step j the rows j and
  // exchanged[j] change places, so that the pivot is the largest. L has a unit diagonal, which is not stored. Returns
  // the column that has no finite pivot other than 0, or -1.
  int (*eliminate_columns)(double* a, std::int64_t leading, int rows, int columns, std::int32_t* exchanged);
  // B = L^-1 B with such an L, size x size; B is size x columns.
  void (*solve_unit_lower)(const double* l, std::int64_t leading, int size, double* b, std::int64_t leading_b,
                           int columns);

  // target[place[i]] += source[i]; places increase.
  void (*scatter_add)(const double* source, const std::int32_t* place, std::int64_t count, double* target);
};

extern const DenseKernels dense_kernels_baseline;
extern const DenseKernels dense_kernels_avx2;
extern const DenseKernels dense_kernels_avx512;

}  // namespace proxima::factor
