// A sparse symmetric matrix of 3 x 3 blocks, made for many products y = K x: rows in tiles of 8, so that a processor's
// vector registers hold one entry of 8 rows. Entries are stored in fp32: it only ever serves inside a preconditioner.
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

class BlockMatrix {
 public:
  static constexpr std::size_t lanes = 8;

  BlockMatrix() = default;
  explicit BlockMatrix(const std::vector<BlockRow>& rows);

  std::size_t rows() const { return rows_; }
  std::size_t bytes() const;
  // y <- b - K x; 3 scalars a row. b and y may be the same. The same bits for any number of threads.
  void residual(std::span<const double> b, std::span<const double> x, std::span<double> y) const;

 private:
  std::size_t rows_ = 0;
  std::vector<std::size_t> first_;     // slot at which each tile begins, and their end
  std::vector<std::int32_t> columns_;  // [slot][lane]; 0, with a block of zeros, where a row has no more
  std::vector<float> entries_;         // [slot][entry of the block][lane]
};

}  // namespace proxima::solve
