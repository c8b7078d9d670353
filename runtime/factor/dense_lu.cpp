#include "runtime/factor/dense_lu.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "runtime/device/aligned.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::factor {
namespace {

using Index = std::int32_t;

constexpr Index block = 32;         // columns eliminated together
constexpr std::size_t piece = 192;  // columns that are one unit of work; whole tiles of every instruction set

std::size_t padded(std::size_t size, std::size_t unit) { return (size + unit - 1) / unit * unit; }

}  // namespace

DenseLu::DenseLu(Index size, const DenseKernels& kernels)
    : kernels_(kernels), size_(size), matrix_(kernels, size, size), exchanged_(static_cast<std::size_t>(size)) {}

bool DenseLu::factorize() {
  const std::int64_t leading = matrix_.leading();
  device::AlignedVector<double> left(
      padded(static_cast<std::size_t>(size_), static_cast<std::size_t>(kernels_.tile_rows)) * block);
  for (Index j = 0; j < size_; j += block) {
    const Index width = std::min(block, size_ - j), next = j + width;
    Index* const exchanged = exchanged_.data() + j;
    if (kernels_.eliminate_columns(column(j) + j, leading, size_ - j, width, exchanged) >= 0) return false;
    const auto exchange = [&](Index c) {
      double* const values = column(c) + j;
      for (Index k = 0; k < width; ++k) std::swap(values[k], values[exchanged[k]]);
    };
    for (Index c = 0; c < j; ++c) exchange(c);
    kernels_.pack_left(column(j) + next, leading, size_ - next, width, left.data());
    device::parallel_chunks(static_cast<std::size_t>(size_ - next), piece, [&](std::size_t begin, std::size_t end) {
      const Index first = next + static_cast<Index>(begin), count = static_cast<Index>(end - begin);
      for (Index c = first; c < first + count; ++c) exchange(c);
      kernels_.solve_unit_lower(column(j) + j, leading, width, column(first) + j, leading, count);
      device::AlignedVector<double> right(padded(end - begin, static_cast<std::size_t>(kernels_.tile_columns)) * block);
      kernels_.pack_right(column(first) + j, leading, count, width, right.data());
      kernels_.multiply(left.data(), right.data(), size_ - next, count, width, Product::subtract, count,
                        column(first) + next, leading);
    });
    for (Index k = 0; k < width; ++k) exchanged[k] += j;
  }
  return true;
}

std::vector<Index> DenseLu::order() const {
  std::vector<Index> result(exchanged_.size());
  std::iota(result.begin(), result.end(), 0);
  for (std::size_t k = 0; k < result.size(); ++k) std::swap(result[k], result[static_cast<std::size_t>(exchanged_[k])]);
  return result;
}

void DenseLu::solve(double* x) const {
  for (Index k = 0; k < size_; ++k) std::swap(x[k], x[exchanged_[static_cast<std::size_t>(k)]]);
  for (Index k = 0; k < size_; ++k) {
    const double* const values = matrix_.column(k);
    for (Index i = k + 1; i < size_; ++i) x[i] -= values[i] * x[k];
  }
  for (Index k = size_ - 1; k >= 0; --k) {
    const double* const values = matrix_.column(k);
    x[k] /= values[k];
    for (Index i = 0; i < k; ++i) x[i] -= values[i] * x[k];
  }
}

}  // namespace proxima::factor
