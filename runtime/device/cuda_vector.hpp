// Vectors of doubles on a GPU and what solvers do with them, by the same names as on spans (parallel.hpp). Operations
// are queued; those that return a number wait for it. The same bits from run to run.
#pragma once

#include <memory>
#include <span>

#include "runtime/device/cuda_engine.hpp"

namespace proxima::device {

class CudaVector;

// The kernels of kernels/vector.cu, sum.cu and krylov.cu, loaded, and room for partial sums. One thread of callers at a
// time.
class CudaAlgebra {
 public:
  explicit CudaAlgebra(CudaEngine& engine);

  CudaEngine& engine() const { return *engine_; }

  // Runs a kernel of sum.cu over `count` terms and waits for the sum. Its arguments between `partial` and `count`.
  template <class... A>
  double sum_by(const CudaFunction& kernel, std::size_t count, const A&... arguments) {
    if (count == 0) return 0;
    const std::size_t blocks = reserve(count, 1);
    kernel(blocks, sum_block, partial_, arguments..., static_cast<int>(count));
    double result = 0;
    finish(blocks, {&result, 1});
    return result;
  }
  // The sums of the first sums.size() rows of `count` numbers, `stride` from one to the next; waits for them.
  void sum_rows(const CudaArray& rows, std::int64_t stride, std::size_t count, std::span<double> sums);

  // Queues sums <- the products of `count` rows of floats, each as long as x, one behind the other, with x.
  void dot_rows(const CudaArray& rows, std::size_t count, const CudaVector& x, CudaArray& sums);

  // Queues y += (a.b - c.d) x.
  void add_by_dots(CudaVector& y, const CudaVector& a, const CudaVector& b, const CudaVector& c, const CudaVector& d,
                   const CudaVector& x);

  const CudaFunction add_scaled, scale_and_add, combine, scale, weigh_nodes, imbalance, nodes_to_rows, rows_to_nodes;
  const CudaFunction dot, sum, sum_of_differences, sum_of_weighed_squares, potential_difference;
  const CudaFunction dot_vectors, finish_dots, add_vectors;

 private:
  static constexpr std::size_t sum_block = 256;
  CudaAlgebra(CudaEngine& engine, const CudaModule& vectors, const CudaModule& sums, const CudaModule& many);
  // Room for the partial sums of so many sums of so many terms; returns the blocks of one.
  std::size_t reserve(std::size_t count, std::size_t sums);
  void finish(std::size_t blocks, std::span<double> sums);

  CudaEngine* engine_;
  CudaFunction sum_rows_, dot_rows_, finish_, add_by_difference_;
  CudaArray partial_, results_;
};

class CudaVector {
 public:
  CudaVector() = default;                                              // of no size
  CudaVector(std::shared_ptr<CudaAlgebra> algebra, std::size_t size);  // of zeros

  std::size_t size() const { return size_; }
  const CudaArray& array() const { return array_; }
  CudaArray& array() { return array_; }
  CudaAlgebra& algebra() const { return *algebra_; }
  const std::shared_ptr<CudaAlgebra>& shared_algebra() const { return algebra_; }

  // From and to the host. Throw std::logic_error for another size.
  void write(std::span<const double> from);
  void read(std::span<double> to) const;

 private:
  std::shared_ptr<CudaAlgebra> algebra_;
  std::size_t size_ = 0;
  CudaArray array_;
};

CudaVector like(const CudaVector& a);  // of zeros, as many
double dot(const CudaVector& a, const CudaVector& b);
double norm(const CudaVector& a);
void copy(const CudaVector& from, CudaVector& to);
void set_zero(CudaVector& y);
void negate(CudaVector& y);
void divide(CudaVector& y, double divisor);
void add_scaled(CudaVector& y, double scale, const CudaVector& x);                    // y += scale x
void scale_and_add(CudaVector& y, double scale, const CudaVector& x);                 // y = x + scale y
void combine(CudaVector& y, const CudaVector& a, double scale, const CudaVector& b);  // y = a + scale b

}  // namespace proxima::device
