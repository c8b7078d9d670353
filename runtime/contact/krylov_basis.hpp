// The vectors that GMRES keeps: orthonormal, one more an iteration.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "runtime/device/cuda_vector.hpp"

namespace proxima::contact {

// y <- op(u); called in order, so it may keep what belongs to u.
template <class In, class Out>
struct BasicLinearOperator {
  std::function<void(In, Out)> apply;
  // On a GPU: it only queues work, the same each time, and takes no memory after the first. It may then be asked for
  // before anybody knows whether it is needed, and what it keeps is of the last time that it was called.
  bool queued = false;
};
using LinearOperator = BasicLinearOperator<std::span<const double>, std::span<double>>;
using CudaLinearOperator = BasicLinearOperator<const device::CudaVector&, device::CudaVector&>;

// What op makes of the last of `k` vectors: how much of it is along each of them, and the norm of what is left, which
// is the next vector.
using KrylovColumn = std::vector<double>;

class KrylovBasis {
 public:
  using In = std::span<const double>;
  using Out = std::span<double>;
  using Operator = LinearOperator;

  // Of at most so many vectors, of which the first is first / length. Keeps a reference to op.
  KrylovBasis(const Operator& op, In first, double length, std::size_t most);

  // The columns of the next iterations: of one. Where what is left is zero there is no next vector.
  std::vector<KrylovColumn> extend(int);
  void add(std::span<const double> coefficients, Out u) const;  // u += their sum with these
  static int ahead(double, double, double, int) { return 1; }

 private:
  const Operator& op_;
  std::vector<std::vector<double>> vectors_;
  std::vector<double> image_;
};

// On a GPU. All products with the vectors are one launch, an operator that is queued is a CUDA graph, and the numbers
// of several iterations come to the host together; for that they are orthogonalised by classical Gram-Schmidt, twice,
// which is as good as the host's (Giraud et al. 2005).
class CudaKrylovBasis {
 public:
  using In = const device::CudaVector&;
  using Out = device::CudaVector&;
  using Operator = CudaLinearOperator;

  CudaKrylovBasis(const Operator& op, In first, double length, std::size_t most);

  // Up to `most` columns. Those after one that ends at zero are no numbers.
  std::vector<KrylovColumn> extend(int most);
  void add(std::span<const double> coefficients, Out u) const;
  // As device::CudaAhead::next.
  int ahead(double start, double now, double target, int iterations) const;

 private:
  std::uint64_t number(std::size_t i) const { return numbers_.address() + i * sizeof(double); }
  // Queued: the next vector, x / length, or x / sqrt(square) where that is in the GPU's memory.
  void append(const device::CudaVector& x, double length, std::uint64_t square);
  void orthogonalise(std::size_t first);  // the image; shares of each pass and a square go to numbers from `first` on

  const Operator& op_;
  device::CudaAlgebra* algebra_;
  std::vector<device::CudaArray> vectors_;
  device::CudaVector last_, image_;  // the last vector once more, where the operator finds it
  device::CudaArray addresses_, numbers_;
  device::CudaRepeated apply_;
};

}  // namespace proxima::contact
