#include "runtime/solve/precondition/block_matrix.hpp"

#include <algorithm>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/precondition/instruction_sets.hpp"

namespace proxima::solve {
namespace {

constexpr std::size_t lanes = BlockMatrix<double>::lanes;
constexpr std::size_t tiles_a_chunk = 32;

// sum[3][lanes] <- the products of a tile's rows with x.
template <class T>
[[gnu::always_inline]] inline void tile_products(const std::int32_t* column, const T* entry, std::size_t groups,
                                                 const double* x, double* sum) {
  double total[3][lanes] = {};
  for (std::size_t group = 0; group < groups; ++group, column += lanes, entry += 9 * lanes) {
    double own[3][lanes];
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t lane = 0; lane < lanes; ++lane) own[axis][lane] = x[3 * column[lane] + static_cast<int>(axis)];
    for (std::size_t row = 0; row < 3; ++row)
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t lane = 0; lane < lanes; ++lane)
          total[row][lane] += static_cast<double>(entry[(3 * row + axis) * lanes + lane]) * own[axis][lane];
  }
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t lane = 0; lane < lanes; ++lane) sum[row * lanes + lane] = total[row][lane];
}

PROXIMA_FOR_EACH_INSTRUCTION_SET void multiply_tile(const std::int32_t* column, const float* entry, std::size_t groups,
                                                    const double* x, double* sum) {
  tile_products(column, entry, groups, x, sum);
}

PROXIMA_FOR_EACH_INSTRUCTION_SET void multiply_tile(const std::int32_t* column, const double* entry, std::size_t groups,
                                                    const double* x, double* sum) {
  tile_products(column, entry, groups, x, sum);
}

std::vector<std::vector<std::int32_t>> columns_of(const std::vector<BlockRow>& rows) {
  std::vector<std::vector<std::int32_t>> result;
  result.reserve(rows.size());
  for (const BlockRow& row : rows) result.push_back(row.columns);
  return result;
}

}  // namespace

template <class T>
BlockMatrix<T>::BlockMatrix(const std::vector<std::vector<std::int32_t>>& columns) : rows_(columns.size()) {
  for (std::size_t begin = 0; begin < rows_; begin += lanes) {
    const std::size_t end = std::min(rows_, begin + lanes);
    std::size_t groups = 0;
    for (std::size_t row = begin; row < end; ++row) groups = std::max(groups, columns[row].size());
    first_.push_back(first_.back() + groups);
    columns_.resize(lanes * first_.back());
    for (std::size_t row = begin; row < end; ++row)
      for (std::size_t k = 0; k < columns[row].size(); ++k) columns_[slot(row, k)] = columns[row][k];
  }
  entries_.resize(9 * columns_.size());
}

template <class T>
BlockMatrix<T>::BlockMatrix(const std::vector<BlockRow>& rows) : BlockMatrix(columns_of(rows)) {
  for (std::size_t row = 0; row < rows_; ++row)
    for (std::size_t k = 0; k < rows[row].columns.size(); ++k) add(slot(row, k), rows[row].blocks[k]);
}

template <class T>
std::size_t BlockMatrix<T>::bytes() const {
  return first_.size() * sizeof(std::size_t) + columns_.size() * sizeof(std::int32_t) + entries_.size() * sizeof(T);
}

template <class T>
void BlockMatrix<T>::clear() {
  std::fill(entries_.begin(), entries_.end(), T{});
}

template <class T>
template <class Store>
void BlockMatrix<T>::products(std::span<const double> x, Store store) const {
  device::parallel_chunks(first_.size() - 1, tiles_a_chunk, [&](std::size_t begin, std::size_t end) {
    double sum[3 * lanes];
    for (std::size_t tile = begin; tile < end; ++tile) {
      const std::size_t from = first_[tile];
      multiply_tile(columns_.data() + lanes * from, entries_.data() + 9 * lanes * from, first_[tile + 1] - from,
                    x.data(), sum);
      const std::size_t row = lanes * tile, count = std::min(lanes, rows_ - row);
      for (std::size_t lane = 0; lane < count; ++lane)
        for (std::size_t axis = 0; axis < 3; ++axis) store(3 * (row + lane) + axis, sum[axis * lanes + lane]);
    }
  });
}

template <class T>
void BlockMatrix<T>::multiply(std::span<const double> x, std::span<double> y) const {
  products(x, [y](std::size_t i, double product) { y[i] = product; });
}

template <class T>
void BlockMatrix<T>::residual(std::span<const double> b, std::span<const double> x, std::span<double> y) const {
  products(x, [b, y](std::size_t i, double product) { y[i] = b[i] - product; });
}

template class BlockMatrix<double>;
template class BlockMatrix<float>;

}  // namespace proxima::solve
