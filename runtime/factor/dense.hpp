// The dense work on one front: Cholesky of its leading columns, the inverse of their triangle, and the update for the
// fronts above. Fronts of many rows are worked on by several threads, in pieces of fixed size.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/device/aligned.hpp"
#include "runtime/factor/dense_kernels.hpp"

namespace proxima::factor {

// Column-major storage with the room past its edges that the kernels ask for. Not initialised.
class FrontMatrix {
 public:
  FrontMatrix() = default;
  FrontMatrix(const DenseKernels& kernels, std::int32_t rows, std::int32_t columns);
  void clear();  // to zero
  std::int64_t leading() const { return leading_; }
  double* column(std::int32_t c) { return values_.get() + c * leading_; }
  const double* column(std::int32_t c) const { return values_.get() + c * leading_; }

 private:
  struct Free {
    void operator()(double* memory) const;
  };
  std::unique_ptr<double, Free> values_;
  std::int64_t leading_ = 0, size_ = 0;
};

// `panel` (rows x columns) holds the leading columns of a front; on return W = [D^-1 ; R D^-1], with zeros above the
// diagonal, and `update` (square, rows - columns) is set to -R R^T in its lower triangle, what lies above being
// undefined. Returns the column at which the front is not positive definite, or -1.
std::int32_t factor_front(const DenseKernels& kernels, FrontMatrix& panel, std::int32_t rows, std::int32_t columns,
                          FrontMatrix& update);

}  // namespace proxima::factor
