#include "runtime/factor/sweep.hpp"

#include <algorithm>
#include <cstddef>

#include "runtime/device/parallel.hpp"
#include "runtime/factor/panel_shape.hpp"

namespace proxima::factor {
namespace {

using Index = std::int32_t;

// A supernode above the subtrees is shared between threads in ranges of so many rows upward, and of a strip downward.
constexpr std::int32_t shared_rows = 8 * block_rows;

// The three values of a row. (std::copy_n makes a call of it.)
inline void copy_row(const double* from, double* to) {
  to[0] = from[0];
  to[1] = from[1];
  to[2] = from[2];
}

}  // namespace

Sweep::Sweep(const Supernodes& supernodes, const TaskTree& tree, const PanelStore& store)
    : supernodes_(supernodes), tree_(tree), store_(store) {
  for (const Task& task : tree.tasks) {
    Index largest = 0;
    for (Index s = task.begin; s < task.end; ++s) largest = std::max(largest, supernodes.rows(s));
    Place place;
    place.vector = workspace_;
    place.rows = place.vector + (3 * std::int64_t{task.rows()} + 7) / 8 * 8;
    workspace_ = place.rows + 3 * std::int64_t{padded_rows(largest)};
    places_.push_back(place);
  }
}

PanelView Sweep::panel(Index s) const {
  const auto at = static_cast<std::size_t>(s);
  const std::int64_t width = store_.storage == Storage::fp64 ? sizeof(double) : sizeof(float);
  return {.values = static_cast<const char*>(store_.values) + store_.offset[at] * width,
          .columns = supernodes_.columns(s),
          .size = supernodes_.rows(s),
          .at = tree_.place_in_task.data() + supernodes_.border_begin[at]};
}

void Sweep::forward(Index t, std::span<const double> b, double* workspace) const {
  const Task& task = tree_.tasks[static_cast<std::size_t>(t)];
  double* vector = workspace + places_[static_cast<std::size_t>(t)].vector;
  double* rows = workspace + places_[static_cast<std::size_t>(t)].rows;
  const Index* order = supernodes_.order.data() + task.first_pivot;
  for (std::ptrdiff_t k = 0; k < task.own; ++k) copy_row(b.data() + 3 * std::ptrdiff_t{order[k]}, vector + 3 * k);
  std::fill(vector + 3 * std::ptrdiff_t{task.own}, vector + 3 * std::ptrdiff_t{task.rows()}, 0.0);
  for (const Index c : task.children) {
    const Task& child = tree_.tasks[static_cast<std::size_t>(c)];
    const double* from = workspace + places_[static_cast<std::size_t>(c)].vector + 3 * std::ptrdiff_t{child.own};
    for (const Index place : child.place_in_parent)
      for (int axis = 0; axis < 3; ++axis) vector[3 * std::ptrdiff_t{place} + axis] += *from++;
  }
  const auto kernel = store_.storage == Storage::fp64 ? kernels_.forward_fp64 : kernels_.forward_fp32;
  for (Index s = task.begin; s < task.end; ++s) {
    const PanelView view = panel(s);
    double* own = vector + 3 * std::ptrdiff_t{supernodes_.begin[static_cast<std::size_t>(s)] - task.first_pivot};
    if (task.single())
      device::parallel_chunks(static_cast<std::size_t>(view.size), shared_rows,
                              [&](std::size_t begin, std::size_t end) {
                                kernel(view, static_cast<Index>(begin), static_cast<Index>(end), own, rows);
                              });
    else
      kernel(view, 0, view.size, own, rows);
    kernels_.scatter(view, rows, own, vector);
  }
}

void Sweep::backward(Index t, std::span<double> x, double* workspace) const {
  const Task& task = tree_.tasks[static_cast<std::size_t>(t)];
  double* vector = workspace + places_[static_cast<std::size_t>(t)].vector;
  double* rows = workspace + places_[static_cast<std::size_t>(t)].rows;
  double* border = vector + 3 * std::ptrdiff_t{task.own};
  if (task.parent >= 0) {
    const double* above = workspace + places_[static_cast<std::size_t>(task.parent)].vector;
    for (const Index place : task.place_in_parent) {
      copy_row(above + 3 * std::ptrdiff_t{place}, border);
      border += 3;
    }
  }
  const auto kernel = store_.storage == Storage::fp64 ? kernels_.backward_fp64 : kernels_.backward_fp32;
  for (Index s = task.end - 1; s >= task.begin; --s) {
    const PanelView view = panel(s);
    double* own = vector + 3 * std::ptrdiff_t{supernodes_.begin[static_cast<std::size_t>(s)] - task.first_pivot};
    kernels_.gather(view, own, vector, rows);
    if (task.single())
      device::parallel_chunks(static_cast<std::size_t>(view.columns), strip_columns,
                              [&](std::size_t begin, std::size_t end) {
                                kernel(view, static_cast<Index>(begin), static_cast<Index>(end), rows, own);
                              });
    else
      kernel(view, 0, view.columns, rows, own);
  }
  const Index* order = supernodes_.order.data() + task.first_pivot;
  for (std::ptrdiff_t k = 0; k < task.own; ++k) copy_row(vector + 3 * k, x.data() + 3 * std::ptrdiff_t{order[k]});
}

double* Sweep::own_values(Index task, double* workspace) const {
  return workspace + places_[static_cast<std::size_t>(task)].vector;
}

void Sweep::solve(std::span<const double> b, std::span<double> x, double* workspace) const {
  walk_up(tree_, [&](Index task) { forward(task, b, workspace); });
  walk_down(tree_, [&](Index task) { backward(task, x, workspace); });
}

void Sweep::solve_lower(std::span<const double> b, std::span<double> y, double* workspace) const {
  walk_up(tree_, [&](Index t) {
    forward(t, b, workspace);
    const Task& task = tree_.tasks[static_cast<std::size_t>(t)];
    std::copy_n(own_values(t, workspace), 3 * std::ptrdiff_t{task.own},
                y.data() + 3 * std::ptrdiff_t{task.first_pivot});
  });
}

void Sweep::solve_upper(std::span<const double> y, std::span<double> x, double* workspace) const {
  walk_down(tree_, [&](Index t) {
    const Task& task = tree_.tasks[static_cast<std::size_t>(t)];
    std::copy_n(y.data() + 3 * std::ptrdiff_t{task.first_pivot}, 3 * std::ptrdiff_t{task.own},
                own_values(t, workspace));
    backward(t, x, workspace);
  });
}

}  // namespace proxima::factor
