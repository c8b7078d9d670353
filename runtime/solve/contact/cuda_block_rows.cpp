#include "runtime/solve/contact/cuda_block_rows.hpp"

#include <algorithm>
#include <tuple>

#include "kernels/kernels.hpp"
#include "runtime/device/cuda_upload.hpp"

namespace proxima::solve {

CudaBlockRows::CudaBlockRows(const device::CudaAlgebra& algebra, std::vector<Entry> entries)
    : add_product_(
          algebra.engine().compile_text("blocks.cu", kernels::asset_blocks_cu())->function("add_block_product")) {
  std::ranges::stable_sort(entries, {}, [](const Entry& entry) { return std::tuple(entry.row, entry.column); });
  std::vector<std::int32_t> rows, first, columns;
  std::vector<std::array<double, 9>> blocks;
  for (const Entry& entry : entries) {
    const bool new_row = rows.empty() || rows.back() != entry.row;
    if (new_row) {
      rows.push_back(entry.row);
      first.push_back(static_cast<std::int32_t>(columns.size()));
    }
    if (new_row || columns.back() != entry.column) {
      columns.push_back(entry.column);
      blocks.push_back(entry.block);
      continue;
    }
    for (std::size_t i = 0; i < 9; ++i) blocks.back()[i] += entry.block[i];
  }
  first.push_back(static_cast<std::int32_t>(columns.size()));
  device::CudaEngine& engine = algebra.engine();
  rows_ = device::uploaded_own(engine, rows);
  first_ = device::uploaded_own(engine, first);
  columns_ = device::uploaded_own(engine, columns);
  blocks_ = device::uploaded_own(engine, blocks);
  size_ = rows.size();
}

void CudaBlockRows::add(double scale, const device::CudaVector& v, device::CudaVector& y) const {
  if (y.size() == 0) return;
  add_product_.each(3 * size_, kernels::vector_block, y.array(), scale, rows_, first_, columns_, blocks_, v.array(),
                    static_cast<int>(3 * size_));
}

}  // namespace proxima::solve
