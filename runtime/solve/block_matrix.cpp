#include "runtime/solve/block_matrix.hpp"

#include <algorithm>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/instruction_sets.hpp"

namespace proxima::solve {
namespace {

constexpr std::size_t lanes = BlockMatrix::lanes;
constexpr std::size_t tiles_a_chunk = 32;

// sum[3][lanes] <- the products of a tile's rows with x.
PROXIMA_FOR_EACH_INSTRUCTION_SET void multiply_tile(const std::int32_t* column, const float* entry, std::size_t slots,
                                                    const double* x, double* sum) {
  double total[3][lanes] = {};
  for (std::size_t slot = 0; slot < slots; ++slot, column += lanes, entry += 9 * lanes) {
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

}  // namespace

BlockMatrix::BlockMatrix(const std::vector<BlockRow>& rows) : rows_(rows.size()) {
  first_.push_back(0);
  for (std::size_t begin = 0; begin < rows_; begin += lanes) {
    const std::size_t end = std::min(rows_, begin + lanes);
    std::size_t slots = 0;
    for (std::size_t row = begin; row < end; ++row) slots = std::max(slots, rows[row].columns.size());
    const std::size_t from = first_.back();
    first_.push_back(from + slots);
    columns_.resize(lanes * first_.back());
    entries_.resize(9 * lanes * first_.back());
    for (std::size_t row = begin; row < end; ++row)
      for (std::size_t k = 0; k < rows[row].columns.size(); ++k) {
        columns_[lanes * (from + k) + row - begin] = rows[row].columns[k];
        for (std::size_t entry = 0; entry < 9; ++entry)
          entries_[lanes * (9 * (from + k) + entry) + row - begin] = static_cast<float>(rows[row].blocks[k][entry]);
      }
  }
}

std::size_t BlockMatrix::bytes() const {
  return first_.size() * sizeof(std::size_t) + columns_.size() * sizeof(std::int32_t) + entries_.size() * sizeof(float);
}

void BlockMatrix::residual(std::span<const double> b, std::span<const double> x, std::span<double> y) const {
  device::parallel_chunks(first_.size() - 1, tiles_a_chunk, [&](std::size_t begin, std::size_t end) {
    double sum[3 * lanes];
    for (std::size_t tile = begin; tile < end; ++tile) {
      const std::size_t from = first_[tile];
      multiply_tile(&columns_[lanes * from], &entries_[9 * lanes * from], first_[tile + 1] - from, x.data(), sum);
      const std::size_t row = lanes * tile, count = std::min(lanes, rows_ - row);
      for (std::size_t lane = 0; lane < count; ++lane)
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const std::size_t i = 3 * (row + lane) + axis;
          y[i] = b[i] - sum[axis * lanes + lane];
        }
    }
  });
}

}  // namespace proxima::solve
