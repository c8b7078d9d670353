#include "runtime/factor/dense.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "runtime/device/parallel.hpp"

namespace proxima::factor {
namespace {

constexpr std::int32_t block = 32;   // columns eliminated together
constexpr std::int32_t depth = 256;  // of one pass of a product: a packed piece of A then fits the second-level cache
constexpr std::int32_t piece = 192;  // rows of a front that are one unit of work; whole tiles of every instruction set
constexpr std::align_val_t line{64};

std::int64_t padded(std::int64_t size, std::int64_t unit) { return (size + unit - 1) / unit * unit; }

// Memory that is written before it is read: what it held is lost when it grows.
class Scratch {
 public:
  double* take(std::int64_t size) {
    if (static_cast<std::int64_t>(values_.size()) < size) {
      values_.clear();
      values_.resize(static_cast<std::size_t>(size));
    }
    return values_.data();
  }
  const double* data() const { return values_.data(); }

 private:
  device::AlignedVector<double> values_;
};

// Products with one packed right side for all rows.
class Products {
 public:
  explicit Products(const DenseKernels& kernels) : kernels_(kernels) {}

  // The right side is k x n, or the transpose of n x k.
  void set_right(const double* b, std::int64_t leading, std::int32_t n, std::int32_t k) {
    kernels_.pack_right(b, leading, n, k, right_.take(padded(n, kernels_.tile_columns) * k));
  }
  void set_right_transposed(const double* b, std::int64_t leading, std::int32_t n, std::int32_t k) {
    double* packed = right_.take(padded(n, kernels_.tile_columns) * k);
    device::parallel_chunks(static_cast<std::size_t>(n), piece, [&](std::size_t begin, std::size_t end) {
      kernels_.pack_right_transposed(b + begin, leading, static_cast<int>(end - begin), k,
                                     packed + begin * static_cast<std::size_t>(k));
    });
  }

  // C (m x n) from A (m x k) and the packed right side, C and A in pieces of rows; they may be the same memory. Tiles
  // wholly above the diagonal of C are left out when `lower`.
  void run(const double* a, std::int64_t leading_a, std::int32_t m, std::int32_t n, std::int32_t k, Product product,
           bool lower, double* c, std::int64_t leading_c) {
    const double* right = right_.data();
    device::parallel_chunks(static_cast<std::size_t>(m), piece, [&](std::size_t begin, std::size_t end) {
      thread_local Scratch left;  // no task is taken up while it is in use
      double* packed = left.take(std::int64_t{piece} * depth);
      const auto rows = static_cast<std::int32_t>(end - begin);
      kernels_.pack_left(a + begin, leading_a, rows, k, packed);
      kernels_.multiply(packed, right, rows, n, k, product, lower ? static_cast<int>(begin) : n, c + begin, leading_c);
    });
  }

 private:
  const DenseKernels& kernels_;
  Scratch right_;
};

}  // namespace

FrontMatrix::FrontMatrix(const DenseKernels& kernels, std::int32_t rows, std::int32_t columns)
    : leading_(padded(rows + kernels.tile_rows, 8)), size_(leading_ * (columns + kernels.tile_columns)) {
  values_.reset(static_cast<double*>(::operator new(static_cast<std::size_t>(size_) * sizeof(double), line)));
}

void FrontMatrix::clear() { std::memset(values_.get(), 0, static_cast<std::size_t>(size_) * sizeof(double)); }

void FrontMatrix::Free::operator()(double* memory) const { ::operator delete(memory, line); }

std::int32_t factor_front(const DenseKernels& kernels, FrontMatrix& panel, std::int32_t rows, std::int32_t columns,
                          FrontMatrix& update) {
  const std::int64_t leading = panel.leading();
  Products products(kernels);
  Scratch under_block;
  std::vector<double> inverses(static_cast<std::size_t>(padded(columns, block)) * block);
  const auto inverse = [&](std::int32_t j) { return inverses.data() + std::ptrdiff_t{j} * block; };

  // D and R, block column after block column, each subtracted from those to its right.
  for (std::int32_t j = 0; j < columns; j += block) {
    const std::int32_t width = std::min(block, columns - j), next = j + width;
    const std::int32_t failed = kernels.factor_diagonal(panel.column(j) + j, leading, width, inverse(j));
    if (failed >= 0) return j + failed;
    if (next == rows) break;
    double* below = panel.column(j) + next;
    products.set_right_transposed(inverse(j), width, width, width);
    products.run(below, leading, rows - next, width, width, Product::assign, false, below, leading);
    if (next == columns) break;
    products.set_right_transposed(below, leading, columns - next, width);
    products.run(below, leading, rows - next, columns - next, width, Product::subtract, true, panel.column(next) + next,
                 leading);
  }

  const std::int32_t border = rows - columns;
  for (std::int32_t k = 0; border > 0 && k < columns; k += depth) {
    const std::int32_t width = std::min(depth, columns - k);
    const double* below = panel.column(k) + columns;
    products.set_right_transposed(below, leading, border, width);
    products.run(below, leading, border, border, width, k == 0 ? Product::assign_negated : Product::subtract, true,
                 update.column(0), update.leading());
  }

  // W D = [I ; R], from the last block column to the first: W_j = ([I ; R]_j - sum_{k>j} W_k D_kj) D_jj^-1.
  for (std::int32_t j = (columns - 1) / block * block; j >= 0; j -= block) {
    const std::int32_t width = std::min(block, columns - j), next = j + width;
    double* below = panel.column(j) + next;
    const std::int64_t under = columns - next;
    double* triangle = under_block.take(under * width);  // D_kj, whose place W_kj takes
    for (std::int32_t c = 0; c < width; ++c) {
      double* column = panel.column(j + c) + next;
      std::copy_n(column, under, triangle + c * under);
      std::fill_n(column, under, 0.0);
    }
    for (std::int32_t k = next; k < columns; k += depth) {
      const std::int32_t span = std::min(depth, columns - k);
      products.set_right(triangle + (k - next), under, width, span);
      products.run(panel.column(k) + k, leading, rows - k, width, span, Product::subtract, false, panel.column(j) + k,
                   leading);
    }
    if (next < rows) {
      products.set_right(inverse(j), width, width, width);
      products.run(below, leading, rows - next, width, width, Product::assign, false, below, leading);
    }
    for (std::int32_t c = j; c < next; ++c) {
      double* column = panel.column(c);
      std::fill_n(column, j, 0.0);
      std::copy_n(inverse(j) + std::ptrdiff_t{c - j} * width, width, column + j);
    }
  }
  return -1;
}

}  // namespace proxima::factor
