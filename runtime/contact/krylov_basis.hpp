// The vectors that GMRES keeps: orthonormal, one more an iteration.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "runtime/device/cuda_vector.hpp"

namespace proxima::contact {

// y <- op(u); called in order, so it may keep what belongs to u.
using LinearOperator = std::function<void(std::span<const double>, std::span<double>)>;
using CudaLinearOperator = std::function<void(const device::CudaVector&, device::CudaVector&)>;

class KrylovBasis {
 public:
  using Vector = std::vector<double>;
  using In = std::span<const double>;
  using Out = std::span<double>;
  using Operator = LinearOperator;

  KrylovBasis(In /*like*/, std::size_t most) { vectors_.reserve(most); }

  std::size_t size() const { return vectors_.size(); }
  In last() const { return vectors_.back(); }
  void append(In vector, double length);  // vector / length
  // Takes from `image` what it has along each of the vectors, and adds how much that was to `along`, one each; returns
  // the norm of what is left.
  double orthogonalise(Out image, std::vector<double>& along) const;
  void add(std::span<const double> coefficients, Out u) const;  // u += their sum with these

 private:
  std::vector<Vector> vectors_;
};

// On a GPU. All products with the vectors are one launch, and all numbers of an iteration come to the host together;
// for that they are orthogonalised by classical Gram-Schmidt, twice, which is as good as the host's (Giraud et al.
// 2005).
class CudaKrylovBasis {
 public:
  using Vector = device::CudaVector;
  using In = const device::CudaVector&;
  using Out = device::CudaVector&;
  using Operator = CudaLinearOperator;

  CudaKrylovBasis(In like, std::size_t most);

  std::size_t size() const { return vectors_.size(); }
  In last() const { return vectors_.back(); }
  void append(In vector, double length);
  double orthogonalise(Out image, std::vector<double>& along) const;
  void add(std::span<const double> coefficients, Out u) const;

 private:
  std::vector<Vector> vectors_;
  device::CudaArray addresses_;                // one of each vector
  mutable device::CudaArray image_, numbers_;  // the address of what is orthogonalised; shares of each pass, its square
};

}  // namespace proxima::contact
