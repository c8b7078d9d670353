#include "runtime/factor/tasks.hpp"

#include <oneapi/tbb/parallel_for_each.h>

#include <algorithm>
#include <numeric>

#include "runtime/device/parallel.hpp"
#include "runtime/factor/panel_shape.hpp"

namespace proxima::factor {
namespace {

using Index = std::int32_t;

// A leaf task holds at most this share of all stored entries: small enough to balance a dozen threads, large enough
// that starting it costs little.
constexpr double leaf_share = 1.0 / 32;
constexpr std::int64_t smallest_leaf = 20000;  // entries; a few microseconds

std::vector<std::int64_t> subtree_entries(const Supernodes& supernodes) {
  std::vector<std::int64_t> entries(static_cast<std::size_t>(supernodes.size()));
  for (Index s = 0; s < supernodes.size(); ++s) {
    entries[static_cast<std::size_t>(s)] += panel_entries(supernodes.columns(s), supernodes.rows(s));
    const Index up = supernodes.parent[static_cast<std::size_t>(s)];
    if (up >= 0) entries[static_cast<std::size_t>(up)] += entries[static_cast<std::size_t>(s)];
  }
  return entries;
}

// Consecutive small subtrees below the same supernode share a task.
std::vector<Task> cut(const Supernodes& supernodes, std::vector<Index>& task_of) {
  const auto count = static_cast<std::size_t>(supernodes.size());
  const std::vector<std::int64_t> entries = subtree_entries(supernodes);
  std::int64_t total = 0;
  std::vector<Index> first(count);
  std::iota(first.begin(), first.end(), 0);
  for (std::size_t s = 0; s < count; ++s) {
    const Index up = supernodes.parent[s];
    if (up < 0)
      total += entries[s];
    else
      first[static_cast<std::size_t>(up)] = std::min(first[static_cast<std::size_t>(up)], first[s]);
  }
  const auto limit = std::max(smallest_leaf, static_cast<std::int64_t>(leaf_share * static_cast<double>(total)));

  std::vector<Task> tasks;
  task_of.assign(count, -1);
  std::int64_t room = 0;  // what the last task may still take
  Index above = -1;       // the supernode above the last task
  for (std::size_t s = 0; s < count; ++s) {
    const Index up = supernodes.parent[s];
    const bool top = entries[s] > limit;
    if (!top && up >= 0 && entries[static_cast<std::size_t>(up)] <= limit) continue;  // inside a small subtree
    if (top || tasks.empty() || tasks.back().end != first[s] || above != up || room < entries[s]) {
      tasks.emplace_back();
      tasks.back().begin = top ? static_cast<Index>(s) : first[s];
      room = top ? 0 : limit;
    }
    tasks.back().end = static_cast<Index>(s) + 1;
    room -= entries[s];
    above = up;
  }
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    Task& task = tasks[t];
    std::fill(task_of.begin() + task.begin, task_of.begin() + task.end, static_cast<Index>(t));
    task.first_pivot = supernodes.begin[static_cast<std::size_t>(task.begin)];
    task.own = supernodes.begin[static_cast<std::size_t>(task.end)] - task.first_pivot;
  }
  return tasks;
}

// Where pivot lies in the task's own + border.
Index place(const Task& task, Index pivot) {
  if (pivot < task.first_pivot + task.own) return pivot - task.first_pivot;
  return task.own +
         static_cast<Index>(std::lower_bound(task.border.begin(), task.border.end(), pivot) - task.border.begin());
}

// Independent subtrees at the same time, unless there is but one thread.
template <class Visit>
void for_children(const std::vector<Index>& children, const Visit& visit) {
  if (children.size() == 1 || device::threads() == 1)
    for (const Index child : children) visit(child);
  else
    tbb::parallel_for_each(children.begin(), children.end(), visit);
}

void up_from(const TaskTree& tree, Index task, const std::function<void(Index)>& visit) {
  for_children(tree.tasks[static_cast<std::size_t>(task)].children, [&](Index child) { up_from(tree, child, visit); });
  visit(task);
}

void down_from(const TaskTree& tree, Index task, const std::function<void(Index)>& visit) {
  visit(task);
  for_children(tree.tasks[static_cast<std::size_t>(task)].children,
               [&](Index child) { down_from(tree, child, visit); });
}

}  // namespace

TaskTree make_tasks(const Supernodes& supernodes) {
  TaskTree tree;
  std::vector<Index> task_of;
  tree.tasks = cut(supernodes, task_of);
  tree.place_in_task.resize(supernodes.border.size());
  for (std::size_t t = 0; t < tree.tasks.size(); ++t) {
    Task& task = tree.tasks[t];
    const Index end = task.first_pivot + task.own;
    for (Index s = task.begin; s < task.end; ++s)
      for (const Index row : supernodes.border_of(s))
        if (row >= end) task.border.push_back(row);
    std::sort(task.border.begin(), task.border.end());
    task.border.erase(std::unique(task.border.begin(), task.border.end()), task.border.end());
    for (Index s = task.begin; s < task.end; ++s) {
      auto* out = tree.place_in_task.data() + supernodes.border_begin[static_cast<std::size_t>(s)];
      for (const Index row : supernodes.border_of(s)) *out++ = place(task, row);
    }
    const Index up = supernodes.parent[static_cast<std::size_t>(task.end) - 1];
    task.parent = up < 0 ? -1 : task_of[static_cast<std::size_t>(up)];
    (up < 0 ? tree.roots : tree.tasks[static_cast<std::size_t>(task.parent)].children).push_back(static_cast<Index>(t));
  }
  for (Task& task : tree.tasks)
    for (const Index row : task.border)
      task.place_in_parent.push_back(place(tree.tasks[static_cast<std::size_t>(task.parent)], row));
  return tree;
}

void walk_up(const TaskTree& tree, const std::function<void(std::int32_t)>& visit) {
  for_children(tree.roots, [&](Index root) { up_from(tree, root, visit); });
}

void walk_down(const TaskTree& tree, const std::function<void(std::int32_t)>& visit) {
  for_children(tree.roots, [&](Index root) { down_from(tree, root, visit); });
}

}  // namespace proxima::factor
