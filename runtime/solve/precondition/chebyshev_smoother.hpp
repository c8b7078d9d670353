// Two steps of Chebyshev's iteration for K z = r with the diagonal blocks D of K, from zero: a polynomial in D^-1 K
// that damps the upper part of its spectrum (Saad, Iterative Methods for Sparse Linear Systems, section 12.3).
// Symmetric as a map, and below 2 K^-1 everywhere, so that what is built around it stays positive definite.
#pragma once

#include <span>
#include <vector>

#include "runtime/solve/precondition/block_matrix.hpp"

namespace proxima::solve {

class ChebyshevSmoother {
 public:
  ChebyshevSmoother() = default;
  // `diagonal`: the diagonal block of each row of K. Where one is not positive definite its largest entry stands for
  // it.
  ChebyshevSmoother(const BlockMatrix<float>& matrix, const std::vector<Block>& diagonal);

  // z <- p(D^-1 K) D^-1 r, one product with K; 3 scalars a row, r and z apart. Uses buffers of the object.
  void apply(const BlockMatrix<float>& matrix, std::span<const double> r, std::span<double> z);
  // The two steps: z <- first D^-1 r, then z <- own z + update D^-1 (r - K z).
  struct Coefficients {
    double first, own, update;
  };
  Coefficients coefficients() const;
  std::span<const Block> inverse() const { return inverse_; }  // D^-1
  std::size_t bytes() const;

 private:
  void divide(std::span<const double> r, std::span<double> z) const;  // z <- D^-1 r

  std::vector<Block> inverse_;
  double largest_ = 0;
  std::vector<double> residual_, update_;
};

}  // namespace proxima::solve
