#include "runtime/solve/objective/hessian.hpp"

#include <algorithm>

namespace proxima::solve {
namespace {

// The columns of each row, itself among them, increasing.
std::vector<std::vector<std::int32_t>> full_rows(const factor::SparseSymmetric& lower) {
  std::vector<std::vector<std::int32_t>> rows(static_cast<std::size_t>(lower.size));
  for (std::int32_t column = 0; column < lower.size; ++column)
    for (std::int64_t k = lower.first[column]; k < lower.first[column + 1]; ++k) {
      const std::int32_t row = lower.row[k];
      rows[row].push_back(column);
      if (row != column) rows[column].push_back(row);
    }
  for (auto& row : rows) std::sort(row.begin(), row.end());
  return rows;
}

}  // namespace

Hessian::Hessian(const std::vector<RegionKernels>& regions, const Preconditioner& a, std::size_t nodes)
    : columns_(full_rows(a.matrix())),
      nodes_(a.nodes().begin(), a.nodes().end()),
      matrix_(columns_),
      direction_(3 * columns_.size()),
      image_(3 * columns_.size()) {
  std::vector<std::int32_t> row(nodes, -1);
  for (std::size_t i = 0; i < nodes_.size(); ++i) row[nodes_[i]] = static_cast<std::int32_t>(i);
  regions_.reserve(regions.size());
  for (const auto& region : regions) regions_.emplace_back(region.set(), row, columns_, matrix_);
  diagonal_.reserve(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto at = std::lower_bound(columns_[i].begin(), columns_[i].end(), static_cast<std::int32_t>(i));
    diagonal_.push_back(matrix_.slot(i, static_cast<std::size_t>(at - columns_[i].begin())));
  }
}

void Hessian::assemble(std::vector<RegionKernels>& regions, std::span<const double> x,
                       std::span<const double> inertia) {
  matrix_.clear();
  for (std::size_t r = 0; r < regions.size(); ++r) regions_[r].add(regions[r], x, matrix_);
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    const double m = inertia[nodes_[i]];
    matrix_.add(diagonal_[i], {m, 0, 0, 0, m, 0, 0, 0, m});
  }
}

void Hessian::multiply(const Preconditioner& a, std::span<const double> v, std::span<double> y) {
  a.gather(v, direction_);
  matrix_.multiply(direction_, image_);
  a.scatter(image_, y);
}

std::vector<BlockRow> Hessian::rows() const {
  std::vector<BlockRow> result(columns_.size());
  for (std::size_t row = 0; row < result.size(); ++row) {
    result[row].columns = columns_[row];
    result[row].blocks.reserve(columns_[row].size());
    for (std::size_t k = 0; k < columns_[row].size(); ++k)
      result[row].blocks.push_back(matrix_.at(matrix_.slot(row, k)));
  }
  return result;
}

std::size_t Hessian::bytes() const {
  std::size_t total = matrix_.bytes();
  for (const auto& row : columns_) total += row.size() * sizeof(std::int32_t);
  for (const auto& region : regions_) total += region.bytes();
  return total;
}

}  // namespace proxima::solve
