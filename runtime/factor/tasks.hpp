// The elimination tree cut into tasks for threads: whole subtrees of moderate work at the leaves, single supernodes
// above. The cut depends on the matrix only, so that what is summed with what never depends on the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/factor/supernodes.hpp"

namespace proxima::factor {

struct Task {
  std::int32_t begin = 0, end = 0;  // supernodes
  std::int32_t parent = -1;
  std::vector<std::int32_t> children;         // tasks, increasing
  std::int32_t first_pivot = 0, own = 0;      // pivots it eliminates
  std::vector<std::int32_t> border;           // later pivots it reaches, increasing
  std::vector<std::int32_t> place_in_parent;  // the same, counted in the parent's own + border
  std::int32_t rows() const { return own + static_cast<std::int32_t>(border.size()); }
  bool single() const { return end - begin == 1; }
};

struct TaskTree {
  std::vector<Task> tasks;  // children before their parent
  std::vector<std::int32_t> roots;
  // Beside Supernodes::border: the same rows, counted in the task's own + border.
  std::vector<std::int32_t> place_in_task;
};

TaskTree make_tasks(const Supernodes& supernodes);

// Calls visit(task) for all tasks, children before parents (up) or parents before children (down); independent tasks at
// the same time when device::threads() > 1.
void walk_up(const TaskTree& tree, const std::function<void(std::int32_t)>& visit);
void walk_down(const TaskTree& tree, const std::function<void(std::int32_t)>& visit);

}  // namespace proxima::factor
