#include "runtime/solve/preconditioner.hpp"

#include <algorithm>

#include "runtime/solve/shape.hpp"

namespace proxima::solve {
namespace {

// Visits the pairs (a, b), b <= a, of a tet's corners with their number.
template <class Visit>
void each_pair(Visit visit) {
  for (int a = 0, k = 0; a < 4; ++a)
    for (int b = 0; b <= a; ++b, ++k) visit(a, b, k);
}

}  // namespace

Preconditioner::Preconditioner(const mesh::TetMesh& mesh, const std::vector<char>& held, factor::Storage storage) {
  std::vector<std::int32_t> row(mesh.nodes.size(), -1);
  for (std::size_t node = 0; node < held.size(); ++node) {
    if (held[node]) continue;
    row[node] = static_cast<std::int32_t>(free_.size());
    free_.push_back(static_cast<std::int32_t>(node));
  }
  matrix_.size = static_cast<std::int32_t>(free_.size());
  std::vector<std::vector<std::int32_t>> columns(free_.size());
  for (std::size_t i = 0; i < free_.size(); ++i) columns[i].push_back(static_cast<std::int32_t>(i));
  const auto each_entry = [&](const std::array<std::int32_t, 4>& tet, auto&& visit) {
    each_pair([&](int a, int b, int k) {
      const auto [low, high] = std::minmax(row[tet[a]], row[tet[b]]);
      if (low >= 0) visit(high, low, k);
    });
  };
  for (const auto& tet : mesh.tets)
    each_entry(tet, [&](std::int32_t i, std::int32_t j, int) { columns[j].push_back(i); });
  matrix_.first.push_back(0);
  for (auto& column : columns) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    matrix_.row.insert(matrix_.row.end(), column.begin(), column.end());
    matrix_.first.push_back(static_cast<std::int64_t>(matrix_.row.size()));
  }
  matrix_.value.resize(matrix_.row.size());

  stiffness_.resize(mesh.tets.size());
  slot_.resize(mesh.tets.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const ShapeGradients shape = shape_gradients(mesh, t);
    std::array<std::array<double, 3>, 4> g{};
    for (int s = 1; s < 4; ++s)
      for (int c = 0; c < 3; ++c) {
        g[s][c] = shape.rows[3 * (s - 1) + c];
        g[0][c] -= g[s][c];
      }
    each_pair([&](int a, int b, int k) {
      stiffness_[t][k] = shape.volume * (g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2]);
    });
    slot_[t].fill(-1);
    each_entry(mesh.tets[t], [&](std::int32_t i, std::int32_t j, int k) {
      const auto begin = matrix_.row.begin() + matrix_.first[j], end = matrix_.row.begin() + matrix_.first[j + 1];
      slot_[t][k] = std::lower_bound(begin, end, i) - matrix_.row.begin();
    });
  }
  factor_.emplace(matrix_, storage);
  diagonal_.resize(mesh.nodes.size());
  compact_.resize(3 * free_.size());
}

void Preconditioner::build(std::span<const double> diagonal, std::span<const double> weights) {
  std::fill(matrix_.value.begin(), matrix_.value.end(), 0.0);
  for (std::size_t i = 0; i < free_.size(); ++i) matrix_.value[matrix_.first[i]] = diagonal[free_[i]];
  for (std::size_t t = 0; t < weights.size(); ++t)
    for (std::size_t k = 0; k < slot_[t].size(); ++k)
      if (slot_[t][k] >= 0) matrix_.value[slot_[t][k]] += weights[t] * stiffness_[t][k];
  for (std::size_t i = 0; i < free_.size(); ++i) diagonal_[free_[i]] = matrix_.value[matrix_.first[i]];
  factor_->factorize(matrix_);
}

void Preconditioner::apply(std::span<const double> r, std::span<double> z) const {
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const double* from = &r[3 * static_cast<std::size_t>(free_[i])];
    std::copy(from, from + 3, &compact_[3 * i]);
  }
  factor_->solve(compact_, compact_);
  std::fill(z.begin(), z.end(), 0.0);
  for (std::size_t i = 0; i < free_.size(); ++i)
    std::copy(&compact_[3 * i], &compact_[3 * i] + 3, &z[3 * static_cast<std::size_t>(free_[i])]);
}

}  // namespace proxima::solve
