// Writes a supernode's block in the layout of panel_shape.hpp, and reads it back.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/factor/panel_shape.hpp"

namespace proxima::factor {

// Visits the blocks of the strip that begins at `column`, in the order in which they are stored: visit(row, height,
// held, width, place), with `row` counted from the strip's first, `held` rows of the height that are no padding.
template <class Visit>
void each_block(std::int32_t columns, std::int32_t rows, std::int32_t column, const Visit& visit) {
  std::int64_t place = 0;
  for (std::int32_t before = 0; before < column; before += strip_columns)
    place += strip_entries(strip_columns, rows - before);
  const std::int32_t strip = rows - column;
  for (std::int32_t row = 0; row < strip; row += block_rows) {
    const std::int32_t height = block_height(strip, row);
    const std::int32_t width = block_width(strip_width(columns, column), strip, row);
    visit(row, height, std::min(height, strip - row), width, place);
    place += std::int64_t{height} * width;
  }
}

// Packs the strip that begins at `column`. `panel`: W column-major, rows x columns, zero above the diagonal. `out`: the
// whole block, panel_entries(columns, rows) values.
template <class T>
void pack_strip(const double* panel, std::int64_t leading, std::int32_t columns, std::int32_t rows, std::int32_t column,
                T* out) {
  each_block(columns, rows, column,
             [&](std::int32_t row, std::int32_t height, std::int32_t held, std::int32_t width, std::int64_t place) {
               T* to = out + place;
               for (std::int32_t c = 0; c < width; ++c, to += height) {
                 const double* in = panel + (column + c) * leading + column + row;
                 for (std::int32_t r = 0; r < held; ++r) to[r] = static_cast<T>(in[r]);
                 std::fill(to + held, to + height, T{0});
               }
             });
}

// The other way, into a panel of zeros whose columns follow each other without gaps.
template <class T>
void unpack_strip(const T* block, std::int32_t columns, std::int32_t rows, std::int32_t column, double* panel) {
  each_block(columns, rows, column,
             [&](std::int32_t row, std::int32_t height, std::int32_t held, std::int32_t width, std::int64_t place) {
               const T* from = block + place;
               for (std::int32_t c = 0; c < width; ++c, from += height) {
                 double* to = panel + std::int64_t{column + c} * rows + column + row;
                 for (std::int32_t r = 0; r < held; ++r) to[r] = from[r];
               }
             });
}

}  // namespace proxima::factor
