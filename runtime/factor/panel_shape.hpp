// How a supernode's block W = [D^-1 ; R D^-1] lies in memory, so that both sweeps read it from end to end in one
// stream.
//
// The columns are cut into strips of `strip_columns`; a strip holds the rows from its own first column down (above it
// D^-1 is zero), cut into blocks of `block_rows`, each stored column by column. In the triangle a block holds only the
// columns that reach it. A last block of up to `tail_rows` rows is stored with that height. Padding is zero.
#pragma once

#include <cstdint>

namespace proxima::factor {

inline constexpr int strip_columns = 64;
inline constexpr int block_rows = 16;
inline constexpr int tail_rows = 8;

// These are used by code compiled for several instruction sets, so each such copy must keep its own: no external
// linkage.
namespace {

// Calls visit(row, height, width) for the blocks of a strip of `columns` columns and `rows` rows, top to bottom; the
// rows count from the strip's first column.
template <class Visit>
inline void for_blocks(int columns, int rows, Visit visit) {
  for (int row = 0; row < rows; row += block_rows) {
    const int height = rows - row <= tail_rows ? tail_rows : block_rows;
    visit(row, height, columns < row + height ? columns : row + height);
  }
}

inline int strip_width(int columns, int column) {
  return columns - column < strip_columns ? columns - column : strip_columns;
}

// Rows of an array that the blocks of a supernode may write to or read from.
inline int padded_rows(int rows) { return (rows + block_rows - 1) / block_rows * block_rows; }

}  // namespace

// Entries stored for a supernode of `columns` columns and `rows` rows (the columns among them).
std::int64_t panel_entries(int columns, int rows);

}  // namespace proxima::factor
