// Vectors of doubles on a GPU and what solvers do with them, by the same names as on spans (parallel.hpp). Operations
// are queued; those that return a number wait for it. The same bits from run to run.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>

#include "kernels/kernels.hpp"
#include "runtime/device/cuda_ahead.hpp"
#include "runtime/device/cuda_engine.hpp"

namespace proxima::device {

class CudaVector;

// The partial sums that a kernel of sum.cu makes of so many terms, a block each.
inline std::size_t sum_chunks(std::size_t terms) { return (terms + kernels::sum_chunk - 1) / kernels::sum_chunk; }

// The partial sums of one sum whose terms several kernels of sum.cu have, one behind the other.
class CudaPartials {
 public:
  explicit CudaPartials(std::uint64_t first) : first_(first) {}

  // Queues a kernel over so many terms; its arguments between `partial` and `count`.
  template <class... A>
  void add(const CudaFunction& kernel, std::size_t terms, const A&... arguments) {
    if (terms == 0) return;
    kernel(sum_chunks(terms), kernels::sum_block, first_ + count_ * sizeof(double), arguments...,
           static_cast<int>(terms));
    count_ += sum_chunks(terms);
  }
  std::size_t count() const { return count_; }

 private:
  std::uint64_t first_;
  std::size_t count_ = 0;
};

// The kernels of kernels/vector.cu, sum.cu and krylov.cu, loaded, and room for partial sums. One thread of callers at a
// time.
class CudaAlgebra {
 public:
  explicit CudaAlgebra(CudaEngine& engine);

  CudaEngine& engine() const { return *engine_; }
  CudaAhead ahead;

  // Room for so many partial sums, and the sum of those that were then added, for which it waits; no other sum in
  // between.
  CudaPartials partials(std::size_t most);
  double total(const CudaPartials& partials);
  // Runs a kernel of sum.cu over `count` terms and waits for the sum. Its arguments between `partial` and `count`.
  template <class... A>
  double sum_by(const CudaFunction& kernel, std::size_t count, const A&... arguments) {
    CudaPartials terms = partials(sum_chunks(count));
    terms.add(kernel, count, arguments...);
    return total(terms);
  }
  // The sums of the first sums.size() rows of `count` numbers, `stride` from one to the next; waits for them.
  void sum_rows(const CudaArray& rows, std::int64_t stride, std::size_t count, std::span<double> sums);

  // Queues sums <- the products of `count` rows of floats, each as long as x, one behind the other, with x.
  void dot_rows(const CudaArray& rows, std::size_t count, const CudaVector& x, CudaArray& sums);

  // The products of pairs of vectors of one size; waits once.
  struct Pair {
    const CudaVector &a, &b;
  };
  void dots(std::initializer_list<Pair> pairs, std::span<double> results);

  // Of vectors whose addresses are in a table there, one after the other. Queue results <- the product of each with x,
  // and y += share times their sum with these factors.
  void multiply_all(std::uint64_t table, std::size_t size, const CudaVector& x, std::uint64_t results);
  void add_all(CudaVector& y, double share, const CudaArray& factors, std::uint64_t table, std::size_t size);
  // Queues result <- a.b.
  void multiply(const CudaVector& a, const CudaVector& b, std::uint64_t result);
  // Queues filling the first of `to`, whole numbers of 8 bytes, with values that go there as arguments of a kernel: for
  // a few, of which no copy is to be made.
  void put(std::span<const std::byte> values, CudaArray& to);

  // Queues y += (a.b - c.d) x.
  void add_by_dots(CudaVector& y, const CudaVector& a, const CudaVector& b, const CudaVector& c, const CudaVector& d,
                   const CudaVector& x);

  const CudaFunction add_scaled, scale_and_add, combine, scale, weigh_nodes, imbalance, nodes_to_rows, rows_to_nodes;
  const CudaFunction dot, sum, sum_of_differences, sum_of_weighed_squares, potential_difference, step_sums, finish_step;
  const CudaFunction dot_vectors, finish_dots, add_vectors, keep_divided, take_shares, give_shares;

 private:
  CudaAlgebra(CudaEngine& engine, const CudaModule& vectors, const CudaModule& sums, const CudaModule& many);
  // Room for the partial sums of so many sums of so many terms; returns the blocks of one.
  std::size_t reserve(std::size_t count, std::size_t sums);
  void finish(std::size_t blocks, std::span<double> sums);

  CudaEngine* engine_;
  CudaFunction sum_rows_, dot_rows_, finish_, add_by_difference_, set_words_;
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
