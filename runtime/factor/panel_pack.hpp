// Writes a supernode's block in the layout of panel_shape.hpp.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/factor/panel_shape.hpp"

namespace proxima::factor {

// Packs the strip that begins at `column`. `panel`: W column-major, rows x columns, zero above the diagonal. `out`: the
// whole block, panel_entries(columns, rows) values.
template <class T>
void pack_strip(const double* panel, std::int64_t leading, std::int32_t columns, std::int32_t rows, std::int32_t column,
                T* out) {
  for (std::int32_t before = 0; before < column; before += strip_columns)
    out += strip_entries(strip_columns, rows - before);
  const std::int32_t strip = rows - column;
  for (std::int32_t row = 0; row < strip; row += block_rows) {
    const std::int32_t height = block_height(strip, row), held = std::min(height, strip - row);
    const std::int32_t width = block_width(strip_width(columns, column), strip, row);
    for (std::int32_t c = 0; c < width; ++c, out += height) {
      const double* in = panel + (column + c) * leading + column + row;
      for (std::int32_t r = 0; r < held; ++r) out[r] = static_cast<T>(in[r]);
      std::fill(out + held, out + height, T{0});
    }
  }
}

}  // namespace proxima::factor
