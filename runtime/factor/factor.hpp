// The global matrix of projective dynamics: a sparse symmetric positive definite n x n scalar matrix A, factored once
// (nested dissection, supernodes) and applied to three right-hand sides together. Knows nothing of elements, boundary
// conditions or rigid motions: a matrix that is not positive definite is refused, not repaired.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compiler/support/error.hpp"
#include "runtime/factor/column_kernels.hpp"

namespace proxima::factor {

class Paths;
struct Supernodes;

// Lower triangle by columns: rows of column j are row[first[j]] .. row[first[j+1]-1], increasing, the diagonal first.
struct SparseSymmetric {
  std::int32_t size = 0;
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> row;
  std::vector<double> value;
};

// What the factor is stored in. Solutions are used as corrections x += A^-1 r, so fp32 storage changes only the rate of
// convergence, never the answer; it halves the memory and the traffic of a solve.
enum class Storage : std::uint8_t { fp64, fp32 };

// Where a matrix stops being positive definite: the row, numbered as in the matrix.
class NotPositiveDefinite : public Error {
 public:
  NotPositiveDefinite(std::int32_t size, std::int32_t row)
      : Error(fmt::format("matrix of {} rows: not positive definite at row {}", size, row)), row_(row) {}
  std::int32_t row() const { return row_; }

 private:
  std::int32_t row_;
};

struct FactorStatistics {
  std::int64_t entries = 0;  // stored in the supernode blocks
  std::int32_t supernodes = 0;
  double order_seconds = 0, symbolic_seconds = 0, numeric_seconds = 0;
};

// Values at some of the pivots, in the order of the runs.
struct SparseColumn {
  std::vector<PivotRun> runs;  // increasing
  std::vector<double> values;
};

// P A P^T = L L^T, where P brings the rows into the order of the pivots.
class SupernodalCholesky {
 public:
  // Orders and analyses the pattern; values are not looked at. Throws std::logic_error when it is not a lower triangle
  // as described above.
  explicit SupernodalCholesky(const SparseSymmetric& pattern, Storage storage = Storage::fp64);
  ~SupernodalCholesky();
  SupernodalCholesky(SupernodalCholesky&&) noexcept;
  SupernodalCholesky& operator=(SupernodalCholesky&&) noexcept;

  // Factors a matrix with the analysed pattern. Throws NotPositiveDefinite, after which there is no factor. Throws
  // std::logic_error for another pattern.
  void factorize(const SparseSymmetric& matrix);

  // x <- A^-1 b for three right-hand sides, interleaved: b[3*i + axis]. b and x may be the same. Bitwise the same for
  // any thread count (device::threads()). Several threads may solve at the same time. Throws std::logic_error for wrong
  // sizes and when there is no factor.
  void solve(std::span<const double> b, std::span<double> x) const;

  // The same for several worlds at a time, each with the bits that it has alone: worlds[w] are b and x of world w. What
  // is read of the factor for one serves them all.
  struct RightHandSide {
    std::span<const double> b;
    std::span<double> x;
  };
  void solve(std::span<const RightHandSide> worlds) const;

  // The two halves of a solve: y <- L^-1 P b and x <- P^T L^-T y, with y by pivots, three interleaved values each.
  // backward after forward has the bits of solve. b, x and y must not overlap; the rest is as of solve.
  void forward(std::span<const double> b, std::span<double> y) const;
  void backward(std::span<const double> y, std::span<double> x) const;

  // The sparse column L^-1 P e_row, at the cost of the row's path in the elimination tree. Throws std::logic_error when
  // there is no factor or no such row.
  SparseColumn forward_unit(std::int32_t row) const;
  // The same for those who want many of them. Throws std::logic_error when there is no factor.
  const Paths& paths() const;

  // For a solve elsewhere (cuda_factor.hpp): the supernodes, and the block [D^-1 ; R D^-1] of one, column-major, zero
  // above the diagonal; `out` has rows x columns numbers. The second throws std::logic_error when there is no factor.
  const Supernodes& supernodes() const;
  void copy_block(std::int32_t supernode, std::span<double> out) const;
  Storage storage() const;

  const FactorStatistics& statistics() const;
  std::int32_t size() const;  // rows

 private:
  struct State;
  void check(const char* what, std::span<const double> in, std::span<double> out) const;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::factor
