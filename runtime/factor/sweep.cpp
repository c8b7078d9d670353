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

// Own pivots' part of b, less what the children have sent; zero below.
void Sweep::take_right_hand_side(const Task& task, const World& world, double* vector) const {
  const Index* order = supernodes_.order.data() + task.first_pivot;
  for (std::ptrdiff_t k = 0; k < task.own; ++k) copy_row(world.b + 3 * std::ptrdiff_t{order[k]}, vector + 3 * k);
  std::fill(vector + 3 * std::ptrdiff_t{task.own}, vector + 3 * std::ptrdiff_t{task.rows()}, 0.0);
  for (const Index c : task.children) {
    const Task& child = tree_.tasks[static_cast<std::size_t>(c)];
    const double* from = own_values(c, world.workspace) + 3 * std::ptrdiff_t{child.own};
    for (const Index place : child.place_in_parent)
      for (int axis = 0; axis < 3; ++axis) vector[3 * std::ptrdiff_t{place} + axis] += *from++;
  }
}

void Sweep::forward(Index t, std::span<const World> worlds) const {
  const Task& task = tree_.tasks[static_cast<std::size_t>(t)];
  const Place& place = places_[static_cast<std::size_t>(t)];
  for (const World& world : worlds) take_right_hand_side(task, world, world.workspace + place.vector);
  const auto kernel = store_.storage == Storage::fp64 ? kernels_.forward_fp64 : kernels_.forward_fp32;
  for (Index s = task.begin; s < task.end; ++s) {
    const PanelView view = panel(s);
    const std::int64_t own =
        place.vector + 3 * std::int64_t{supernodes_.begin[static_cast<std::size_t>(s)] - task.first_pivot};
    const auto run = [&](std::size_t begin, std::size_t end) {
      for (const World& world : worlds)
        kernel(view, static_cast<Index>(begin), static_cast<Index>(end), world.workspace + own,
               world.workspace + place.rows);
    };
    if (task.single())
      device::parallel_chunks(static_cast<std::size_t>(view.size), shared_rows, run);
    else
      run(0, static_cast<std::size_t>(view.size));
    for (const World& world : worlds)
      kernels_.scatter(view, world.workspace + place.rows, world.workspace + own, world.workspace + place.vector);
  }
}

void Sweep::backward(Index t, std::span<const World> worlds) const {
  const Task& task = tree_.tasks[static_cast<std::size_t>(t)];
  const Place& at = places_[static_cast<std::size_t>(t)];
  if (task.parent >= 0)
    for (const World& world : worlds) {
      const double* above = own_values(task.parent, world.workspace);
      double* border = world.workspace + at.vector + 3 * std::ptrdiff_t{task.own};
      for (const Index place : task.place_in_parent) {
        copy_row(above + 3 * std::ptrdiff_t{place}, border);
        border += 3;
      }
    }
  const auto kernel = store_.storage == Storage::fp64 ? kernels_.backward_fp64 : kernels_.backward_fp32;
  for (Index s = task.end - 1; s >= task.begin; --s) {
    const PanelView view = panel(s);
    const std::int64_t own =
        at.vector + 3 * std::int64_t{supernodes_.begin[static_cast<std::size_t>(s)] - task.first_pivot};
    for (const World& world : worlds)
      kernels_.gather(view, world.workspace + own, world.workspace + at.vector, world.workspace + at.rows);
    const auto run = [&](std::size_t begin, std::size_t end) {
      for (const World& world : worlds)
        kernel(view, static_cast<Index>(begin), static_cast<Index>(end), world.workspace + at.rows,
               world.workspace + own);
    };
    if (task.single())
      device::parallel_chunks(static_cast<std::size_t>(view.columns), strip_columns, run);
    else
      run(0, static_cast<std::size_t>(view.columns));
  }
  const Index* order = supernodes_.order.data() + task.first_pivot;
  for (const World& world : worlds)
    for (std::ptrdiff_t k = 0; k < task.own; ++k)
      copy_row(world.workspace + at.vector + 3 * k, world.x + 3 * std::ptrdiff_t{order[k]});
}

double* Sweep::own_values(Index task, double* workspace) const {
  return workspace + places_[static_cast<std::size_t>(task)].vector;
}

void Sweep::solve(std::span<const World> worlds) const {
  walk_up(tree_, [&](Index task) { forward(task, worlds); });
  walk_down(tree_, [&](Index task) { backward(task, worlds); });
}

void Sweep::solve_lower(std::span<const double> b, std::span<double> y, double* workspace) const {
  const World world{.b = b.data(), .x = nullptr, .workspace = workspace};
  walk_up(tree_, [&](Index t) {
    forward(t, {&world, 1});
    const Task& task = tree_.tasks[static_cast<std::size_t>(t)];
    std::copy_n(own_values(t, workspace), 3 * std::ptrdiff_t{task.own},
                y.data() + 3 * std::ptrdiff_t{task.first_pivot});
  });
}

void Sweep::solve_upper(std::span<const double> y, std::span<double> x, double* workspace) const {
  const World world{.b = nullptr, .x = x.data(), .workspace = workspace};
  walk_down(tree_, [&](Index t) {
    const Task& task = tree_.tasks[static_cast<std::size_t>(t)];
    std::copy_n(y.data() + 3 * std::ptrdiff_t{task.first_pivot}, 3 * std::ptrdiff_t{task.own},
                own_values(t, workspace));
    backward(t, {&world, 1});
  });
}

}  // namespace proxima::factor
