// A sparse matrix of 3 x 3 blocks, made for many products y = K x: rows in tiles of 8, so that a processor's vector
// registers hold one entry of 8 rows.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace proxima::solve {

using Block = std::array<double, 9>;  // 3 x 3, row by row

// One row of blocks: its columns, increasing, and their blocks.
struct BlockRow {
  std::vector<std::int32_t> columns;
  std::vector<Block> blocks;
};

// Entries are kept as T, double or float; sums are in double.
template <class T>
class BlockMatrix {
 public:
  static constexpr std::size_t lanes = 8;

  BlockMatrix() = default;
  // `columns` of each row, increasing; all entries are zero.
  explicit BlockMatrix(const std::vector<std::vector<std::int32_t>>& columns);
  explicit BlockMatrix(const std::vector<BlockRow>& rows);

  std::size_t rows() const { return rows_; }
  std::size_t bytes() const;
  // Where block k of a row is; below slots().
  std::size_t slot(std::size_t row, std::size_t k) const { return lanes * (first_[row / lanes] + k) + row % lanes; }
  std::size_t slots() const { return columns_.size(); }
  void clear();
  void add(std::size_t slot, const Block& block) {
    for (std::size_t entry = 0; entry < 9; ++entry) entries_[place(slot, entry)] += static_cast<T>(block[entry]);
  }
  Block at(std::size_t slot) const {
    Block block;
    for (std::size_t entry = 0; entry < 9; ++entry) block[entry] = static_cast<double>(entries_[place(slot, entry)]);
    return block;
  }
  // As they are kept, for a GPU (kernels/deflation.cu).
  std::span<const std::size_t> first() const { return first_; }
  std::span<const std::int32_t> columns() const { return columns_; }
  std::span<const T> entries() const { return entries_; }
  // y <- K x and y <- b - K x; 3 scalars a row. b and y may be the same. The same bits for any number of threads.
  void multiply(std::span<const double> x, std::span<double> y) const;
  void residual(std::span<const double> b, std::span<const double> x, std::span<double> y) const;

 private:
  static std::size_t place(std::size_t slot, std::size_t entry) {
    return lanes * (9 * (slot / lanes) + entry) + slot % lanes;
  }
  template <class Store>
  void products(std::span<const double> x, Store store) const;

  std::size_t rows_ = 0;
  std::vector<std::size_t> first_{0};  // of the groups of 8 slots at which each tile begins, and their end
  std::vector<std::int32_t> columns_;  // [slot]; 0, with a block of zeros, where a row has no more
  std::vector<T> entries_;             // [group][entry of the block][lane]
};

extern template class BlockMatrix<double>;
extern template class BlockMatrix<float>;

}  // namespace proxima::solve
