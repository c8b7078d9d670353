// The LU decomposition of a dense matrix that need not be symmetric, with row exchanges.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/factor/dense.hpp"
#include "runtime/factor/kernels.hpp"

namespace proxima::factor {

class DenseLu {
 public:
  explicit DenseLu(std::int32_t size) : DenseLu(size, kernels().dense) {}
  DenseLu(std::int32_t size, const DenseKernels& kernels);

  // The matrix, for the caller to fill: entry (i, j) is column(j)[i].
  double* column(std::int32_t j) { return matrix_.column(j); }
  // Decomposes it in place, with the same bits for any number of threads. Returns false where it is singular or not
  // finite.
  bool factorize();
  std::int32_t size() const { return size_; }
  // P A = L U as it is decomposed, L with ones on its diagonal, and which entry of x comes where: (P x)_i = x_order[i].
  const FrontMatrix& decomposed() const { return matrix_; }
  std::vector<std::int32_t> order() const;
  // x <- A^-1 x, for one right-hand side of `size` values.
  void solve(double* x) const;

 private:
  const DenseKernels& kernels_;
  std::int32_t size_;
  FrontMatrix matrix_;
  std::vector<std::int32_t> exchanged_;
};

}  // namespace proxima::factor
