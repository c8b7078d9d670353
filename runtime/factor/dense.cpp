#include "runtime/factor/dense.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "runtime/device/parallel.hpp"

// LAPACK's, as OpenBLAS brings them; their C headers are a package of their own.
extern "C" {
void dpotrf_(const char* triangle, const int* size, double* matrix, const int* leading, int* info);
void dtrtri_(const char* triangle, const char* diagonal, const int* size, double* matrix, const int* leading,
             int* info);
}

namespace proxima::factor {
namespace {

constexpr std::int32_t piece = 192;  // rows of a front that are one unit of parallel work

}  // namespace

void use_one_blas_thread() { openblas_set_num_threads(1); }

std::int32_t factor_front(double* panel, std::int32_t columns, std::int32_t rows, double* update) {
  const std::int32_t border = rows - columns;
  const char lower = 'L', not_unit = 'N';
  int info = 0;
  dpotrf_(&lower, &columns, panel, &rows, &info);
  if (info > 0) return info - 1;
  for (std::int32_t c = 0; c < columns; ++c) {
    double* column = panel + static_cast<std::ptrdiff_t>(c) * rows;
    if (!std::isfinite(column[c])) return c;
    std::fill(column, column + c, 0.0);
  }
  dtrtri_(&lower, &not_unit, &columns, panel, &rows, &info);
  if (border == 0) return -1;
  double* below = panel + columns;
  const auto count = static_cast<std::size_t>(border);
  device::parallel_chunks(count, piece, [&](std::size_t begin, std::size_t end) {
    cblas_dtrmm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, static_cast<int>(end - begin), columns,
                1, panel, rows, below + begin, rows);
  });
  device::parallel_chunks(count, piece, [&](std::size_t begin, std::size_t end) {
    const int width = static_cast<int>(end - begin), under = border - static_cast<int>(end);
    double* corner = update + begin * count + begin;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, width, columns, -1, below + begin, rows, 1, corner, border);
    if (under > 0)
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, under, width, columns, -1, below + end, rows, below + begin,
                  rows, 1, corner + width, border);
  });
  device::parallel_chunks(count, piece, [&](std::size_t begin, std::size_t end) {
    cblas_dtrmm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, static_cast<int>(end - begin),
                columns, 1, panel, rows, below + begin, rows);
  });
  return -1;
}

}  // namespace proxima::factor
