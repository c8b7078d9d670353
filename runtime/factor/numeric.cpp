#include "runtime/factor/numeric.hpp"

#include <algorithm>

#include "runtime/device/parallel.hpp"
#include "runtime/factor/dense.hpp"
#include "runtime/factor/kernels.hpp"
#include "runtime/factor/panel_pack.hpp"

namespace proxima::factor {
namespace {

using Index = std::int32_t;

constexpr std::size_t columns_at_once = 128;  // of an update that is added to a large front: one unit of work

class Multifrontal {
 public:
  Multifrontal(std::span<const double> values, const Supernodes& supernodes, const Assembly& assembly,
               const PanelStore& store)
      : values_(values), supernodes_(supernodes), assembly_(assembly), store_(store) {
    const auto count = static_cast<std::size_t>(supernodes.size());
    update_.resize(count);
    failed_.assign(count, -1);
    children_.resize(count);
    for (std::size_t s = 0; s < count; ++s)
      if (supernodes.parent[s] >= 0)
        children_[static_cast<std::size_t>(supernodes.parent[s])].push_back(static_cast<Index>(s));
  }

  void factor(Index s) {
    const auto at = static_cast<std::size_t>(s);
    Index& failed = failed_[at];
    for (const Index child : children_[at]) {
      const Index theirs = failed_[static_cast<std::size_t>(child)];
      if (theirs >= 0 && (failed < 0 || theirs < failed)) failed = theirs;
    }
    if (failed >= 0) return;
    const Index columns = supernodes_.columns(s), rows = supernodes_.rows(s);
    FrontMatrix panel(kernels_, rows, columns), update(kernels_, rows - columns, rows - columns);
    panel.clear();
    for (auto e = assembly_.begin[at]; e < assembly_.begin[at + 1]; ++e)
      panel.column(assembly_.column[static_cast<std::size_t>(e)])[assembly_.row[static_cast<std::size_t>(e)]] =
          values_[static_cast<std::size_t>(assembly_.source[static_cast<std::size_t>(e)])];
    for (const Index child : children_[at])
      extend_add(child, 0, split(child, columns), [&](Index place) { return panel.column(place); });
    const Index column = factor_front(kernels_, panel, rows, columns, update);
    if (column >= 0) {
      failed = supernodes_.begin[at] + column;
      return;
    }
    for (const Index child : children_[at]) {
      extend_add(child, split(child, columns), supernodes_.place_of(child).size(),
                 [&](Index place) { return update.column(place - columns) - columns; });
      update_[static_cast<std::size_t>(child)] = {};
    }
    update_[at] = std::move(update);
    if (store_.storage == Storage::fp64)
      store(panel, columns, rows, static_cast<double*>(store_.values) + store_.offset[at]);
    else
      store(panel, columns, rows, static_cast<float*>(store_.values) + store_.offset[at]);
  }

  Index failed_at() const {
    Index first = -1;
    for (const Index pivot : failed_)
      if (pivot >= 0 && (first < 0 || pivot < first)) first = pivot;
    return first;
  }

 private:
  // Adds columns [begin, end) of a child's update to the columns of its parent's front that target(place) names. Places
  // increase, so no two columns share a target.
  template <class Target>
  void extend_add(Index child, std::size_t begin, std::size_t end, const Target& target) {
    const std::span<const Index> place = supernodes_.place_of(child);
    const FrontMatrix& from = update_[static_cast<std::size_t>(child)];
    device::parallel_chunks(end - begin, columns_at_once, [&](std::size_t first, std::size_t last) {
      for (std::size_t c = begin + first; c < begin + last; ++c)
        kernels_.scatter_add(from.column(static_cast<Index>(c)) + c, place.data() + c,
                             static_cast<std::int64_t>(place.size() - c), target(place[c]));
    });
  }

  // How many of a child's border rows are columns of its parent.
  std::size_t split(Index child, Index columns) const {
    const std::span<const Index> place = supernodes_.place_of(child);
    return static_cast<std::size_t>(std::lower_bound(place.begin(), place.end(), columns) - place.begin());
  }

  template <class T>
  void store(const FrontMatrix& panel, Index columns, Index rows, T* out) const {
    device::parallel_chunks(static_cast<std::size_t>(columns), strip_columns, [&](std::size_t begin, std::size_t) {
      pack_strip(panel.column(0), panel.leading(), columns, rows, static_cast<Index>(begin), out);
    });
  }

  const DenseKernels& kernels_ = kernels().dense;
  std::span<const double> values_;
  const Supernodes& supernodes_;
  const Assembly& assembly_;
  const PanelStore& store_;
  std::vector<std::vector<Index>> children_;
  std::vector<FrontMatrix> update_;  // of a supernode, from its elimination to its parent's
  std::vector<Index> failed_;        // pivot, or -1
};

}  // namespace

Assembly make_assembly(const SparseSymmetric& pattern, const Supernodes& supernodes) {
  const std::size_t n = supernodes.order.size();
  std::vector<Index> pivot(n), owner(n);
  for (std::size_t k = 0; k < n; ++k) pivot[static_cast<std::size_t>(supernodes.order[k])] = static_cast<Index>(k);
  for (Index s = 0; s < supernodes.size(); ++s)
    std::fill(owner.begin() + supernodes.begin[static_cast<std::size_t>(s)],
              owner.begin() + supernodes.begin[static_cast<std::size_t>(s) + 1], s);
  Assembly assembly;
  assembly.begin.assign(static_cast<std::size_t>(supernodes.size()) + 1, 0);
  const auto each = [&](auto&& visit) {
    for (std::size_t j = 0; j < n; ++j)
      for (auto e = pattern.first[j]; e < pattern.first[j + 1]; ++e) {
        const Index a = pivot[j], b = pivot[static_cast<std::size_t>(pattern.row[static_cast<std::size_t>(e)])];
        visit(e, std::min(a, b), std::max(a, b));
      }
  };
  each([&](std::int64_t, Index column, Index) {
    ++assembly.begin[static_cast<std::size_t>(owner[static_cast<std::size_t>(column)]) + 1];
  });
  for (std::size_t s = 1; s < assembly.begin.size(); ++s) assembly.begin[s] += assembly.begin[s - 1];
  assembly.source.resize(pattern.row.size());
  assembly.row.resize(pattern.row.size());
  assembly.column.resize(pattern.row.size());
  std::vector<std::int64_t> next(assembly.begin.begin(), assembly.begin.end() - 1);
  each([&](std::int64_t e, Index column, Index row) {
    const Index s = owner[static_cast<std::size_t>(column)];
    const Index first = supernodes.begin[static_cast<std::size_t>(s)], columns = supernodes.columns(s);
    Index place = row - first;
    if (place >= columns) {
      const auto border = supernodes.border_of(s);
      place = columns + static_cast<Index>(std::lower_bound(border.begin(), border.end(), row) - border.begin());
    }
    const auto slot = static_cast<std::size_t>(next[static_cast<std::size_t>(s)]++);
    assembly.source[slot] = e;
    assembly.row[slot] = place;
    assembly.column[slot] = column - first;
  });
  return assembly;
}

std::int32_t factor_numerically(std::span<const double> matrix_values, const Supernodes& supernodes,
                                const TaskTree& tasks, const Assembly& assembly, const PanelStore& store) {
  Multifrontal method(matrix_values, supernodes, assembly, store);
  walk_up(tasks, [&](Index t) {
    const Task& task = tasks.tasks[static_cast<std::size_t>(t)];
    for (Index s = task.begin; s < task.end; ++s) method.factor(s);
  });
  return method.failed_at();
}

}  // namespace proxima::factor
