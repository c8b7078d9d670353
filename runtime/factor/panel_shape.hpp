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

// Of the block that begins at `row` of a strip of `height` rows (counted from the strip's first column): its rows, and
// the columns that it holds of the strip's `width`.
inline int block_height(int height, int row) { return height - row <= tail_rows ? tail_rows : block_rows; }
inline int block_width(int width, int height, int row) {
  const int reach = row + block_height(height, row);
  return width < reach ? width : reach;
}

inline int strip_width(int columns, int column) {
  return columns - column < strip_columns ? columns - column : strip_columns;
}

// Entries of a strip's first `rows` rows: whole blocks, or all of them.
inline std::int64_t strip_entries(int width, int rows) {
  const int whole = rows > tail_rows ? (rows - tail_rows + block_rows - 1) / block_rows : 0;  // blocks of full height
  const int triangle = whole < width / block_rows ? whole : width / block_rows;  // of these, cut off by the diagonal
  std::int64_t entries = std::int64_t{block_rows} * block_rows * triangle * (triangle + 1) / 2;
  entries += std::int64_t{block_rows} * width * (whole - triangle);
  if (whole * block_rows < rows) entries += std::int64_t{tail_rows} * block_width(width, rows, whole * block_rows);
  return entries;
}

// Entries stored for a supernode of `columns` columns and `rows` rows (the columns among them).
inline std::int64_t panel_entries(int columns, int rows) {
  std::int64_t entries = 0;
  for (int column = 0; column < columns; column += strip_columns)
    entries += strip_entries(strip_width(columns, column), rows - column);
  return entries;
}

// Rows of an array that the blocks of a supernode may write to or read from.
inline int padded_rows(int rows) { return (rows + block_rows - 1) / block_rows * block_rows; }

}  // namespace

}  // namespace proxima::factor
