#include "runtime/factor/panel_shape.hpp"

#include <algorithm>

namespace proxima::factor {

std::int64_t panel_entries(int columns, int rows) {
  std::int64_t entries = 0;
  for (int column = 0; column < columns; column += strip_columns) {
    const int width = strip_width(columns, column), height = rows - column;
    const int whole = std::max(0, height - tail_rows + block_rows - 1) / block_rows;  // blocks of full height
    const int triangle = std::min(whole, width / block_rows);  // of these, cut off by the diagonal
    entries += std::int64_t{block_rows} * block_rows * triangle * (triangle + 1) / 2;
    entries += std::int64_t{block_rows} * width * (whole - triangle);
    const int row = whole * block_rows;
    if (row < height) entries += std::int64_t{tail_rows} * std::min(width, row + tail_rows);
  }
  return entries;
}

}  // namespace proxima::factor
