#include "runtime/factor/paths.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "runtime/factor/panel_shape.hpp"

namespace proxima::factor {
namespace {

using Index = std::int32_t;

constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

Paths::Paths(const Supernodes& supernodes, const PanelStore& store) : supernodes_(supernodes), store_(store) {
  const auto count = at(supernodes.size());
  pivot_.resize(supernodes.order.size());
  supernode_.resize(supernodes.order.size());
  for (std::size_t k = 0; k < supernodes.order.size(); ++k) pivot_[at(supernodes.order[k])] = static_cast<Index>(k);
  first_below_.resize(count);
  std::iota(first_below_.begin(), first_below_.end(), 0);
  path_size_.resize(count);
  for (Index s = 0; s < supernodes.size(); ++s) {
    std::fill(supernode_.begin() + supernodes.begin[at(s)], supernode_.begin() + supernodes.begin[at(s) + 1], s);
    most_rows_ = std::max(most_rows_, supernodes.rows(s));
    const Index up = supernodes.parent[at(s)];
    if (up >= 0) first_below_[at(up)] = std::min(first_below_[at(up)], first_below_[at(s)]);
  }
  for (Index s = supernodes.size() - 1; s >= 0; --s) {
    const Index up = supernodes.parent[at(s)];
    path_size_[at(s)] = supernodes.columns(s) + (up < 0 ? 0 : path_size_[at(up)]);
  }
}

Index Paths::supernode_of_row(Index row) const { return supernode_[at(pivot(row))]; }

Index Paths::size(Index row) const {
  const Index s = supernode_of_row(row);
  return path_size_[at(s)] - (pivot(row) - supernodes_.begin[at(s)]);
}

Index Paths::shared(Index row, Index other) const {
  const Index below = supernode_of_row(other);
  Index s = supernode_of_row(row);
  while (s >= 0 && (below < first_below_[at(s)] || below > s)) s = supernodes_.parent[at(s)];
  return s < 0 ? 0 : std::min({size(row), size(other), path_size_[at(s)]});
}

void Paths::append_runs(Index row, std::vector<PivotRun>& runs) const {
  Index begin = pivot(row);
  const std::size_t before = runs.size();
  for (Index s = supernode_of_row(row); s >= 0; s = supernodes_.parent[at(s)]) {
    begin = std::max(begin, supernodes_.begin[at(s)]);
    const Index size = supernodes_.begin[at(s) + 1] - begin;
    if (runs.size() > before && runs.back().begin + runs.back().size == begin)
      runs.back().size += size;
    else
      runs.push_back({begin, size});
  }
}

Paths::Workspace::Workspace(const Paths& paths)
    : vector(3 * paths.pivot_.size()), rows(3 * at(padded_rows(paths.most_rows_))) {}

void Paths::columns(std::span<const Index> rows, std::span<double* const> values, Workspace& workspace) const {
  const auto kernel = store_.storage == Storage::fp64 ? kernels_.forward_fp64 : kernels_.forward_fp32;
  const std::int64_t width = store_.storage == Storage::fp64 ? sizeof(double) : sizeof(float);
  double* vector = workspace.vector.data();
  std::array<Index, 3> next{-1, -1, -1};  // where each one's path is
  std::array<double*, 3> out{};
  for (std::size_t c = 0; c < rows.size(); ++c) {
    vector[3 * at(pivot(rows[c])) + c] = 1;
    next[c] = supernode_of_row(rows[c]);
    out[c] = values[c];
  }
  while (true) {
    // The lowest supernode that any of the paths still has before it.
    Index s = -1;
    for (const Index candidate : next)
      if (candidate >= 0 && (s < 0 || candidate < s)) s = candidate;
    if (s < 0) return;
    double* own = vector + 3 * std::ptrdiff_t{supernodes_.begin[at(s)]};
    const PanelView view{.values = static_cast<const char*>(store_.values) + store_.offset[at(s)] * width,
                         .columns = supernodes_.columns(s),
                         .size = supernodes_.rows(s),
                         .at = supernodes_.border.data() + supernodes_.border_begin[at(s)]};
    kernel(view, 0, view.size, own, workspace.rows.data());
    kernels_.scatter(view, workspace.rows.data(), own, vector);
    for (std::size_t c = 0; c < rows.size(); ++c) {
      if (next[c] != s) continue;
      const Index skipped = std::max(0, pivot(rows[c]) - supernodes_.begin[at(s)]);
      for (Index k = skipped; k < view.columns; ++k) *out[c]++ = own[3 * std::ptrdiff_t{k} + static_cast<int>(c)];
      next[c] = supernodes_.parent[at(s)];
    }
    std::fill(own, own + 3 * std::ptrdiff_t{view.columns}, 0.0);
  }
}

}  // namespace proxima::factor
