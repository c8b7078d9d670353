// The dense work on one front, all column-major and lower triangular: BLAS and LAPACK kept to one thread, since threads
// are ours. Large fronts are cut into pieces of fixed size that run at the same time.
#pragma once

#include <cstdint>

namespace proxima::factor {

// Keeps the BLAS library to one thread, for the whole process.
void use_one_blas_thread();

// Factors the leading `columns` columns of a front of `rows` rows (leading dimension rows): on return `panel` holds
// W = [D^-1 ; R D^-1], zero above the diagonal, and update -= R R^T (lower triangle, rows - columns square).
// Returns the column at which the front is not positive definite, or -1.
std::int32_t factor_front(double* panel, std::int32_t columns, std::int32_t rows, double* update);

}  // namespace proxima::factor
