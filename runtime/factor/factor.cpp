#include "runtime/factor/factor.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <stdexcept>

#include "compiler/support/error.hpp"
#include "runtime/device/aligned.hpp"
#include "runtime/factor/kernels.hpp"
#include "runtime/factor/large_array.hpp"
#include "runtime/factor/numeric.hpp"
#include "runtime/factor/panel_shape.hpp"
#include "runtime/factor/supernodes.hpp"
#include "runtime/factor/tasks.hpp"

namespace proxima::factor {
namespace {

using Index = std::int32_t;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

struct SupernodalCholesky::State {
  SparseSymmetric pattern;  // values empty
  Supernodes supernodes;
  TaskTree tree;
  Assembly assembly;
  PanelStore store;
  LargeArray values;
  FactorStatistics statistics;
  bool factored = false;

  // Each task's vector (own rows, then border), three values a row: where it begins, in doubles.
  std::vector<std::int64_t> task_vector;
  std::int64_t vector_doubles = 0;
  Index largest_rows = 0;

  // Vectors of solves that ended, for the next ones.
  mutable std::mutex idle_mutex;
  mutable std::vector<device::AlignedVector<double>> idle;

  void forward(Index task, std::span<const double> b, double* vectors) const;
  void backward(Index task, std::span<double> x, double* vectors) const;
  PanelView panel(Index s) const;
  double* scratch() const;
};

SupernodalCholesky::SupernodalCholesky(const SparseSymmetric& pattern, Storage storage)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  auto start = Clock::now();
  const Graph graph = adjacency(pattern);
  std::vector<Index> order = nested_dissection(graph);
  state.statistics.order_seconds = seconds_since(start);

  start = Clock::now();
  state.pattern = {.size = pattern.size, .first = pattern.first, .row = pattern.row, .value = {}};
  state.supernodes = make_supernodes(graph, eliminate(graph, std::move(order)));
  state.tree = make_tasks(state.supernodes);
  state.assembly = make_assembly(pattern, state.supernodes);
  state.store.storage = storage;
  for (Index s = 0; s < state.supernodes.size(); ++s) {
    state.store.offset.push_back(state.statistics.entries);
    state.statistics.entries += panel_entries(state.supernodes.columns(s), state.supernodes.rows(s));
    state.largest_rows = std::max(state.largest_rows, state.supernodes.rows(s));
  }
  for (const Task& task : state.tree.tasks) {
    state.task_vector.push_back(state.vector_doubles);
    state.vector_doubles += 3 * std::int64_t{task.rows()};
  }
  state.statistics.supernodes = state.supernodes.size();
  state.statistics.symbolic_seconds = seconds_since(start);
}

SupernodalCholesky::~SupernodalCholesky() = default;
SupernodalCholesky::SupernodalCholesky(SupernodalCholesky&&) noexcept = default;
SupernodalCholesky& SupernodalCholesky::operator=(SupernodalCholesky&&) noexcept = default;

void SupernodalCholesky::factorize(const SparseSymmetric& matrix) {
  State& state = *state_;
  if (matrix.size != state.pattern.size || matrix.first != state.pattern.first || matrix.row != state.pattern.row ||
      matrix.value.size() != matrix.row.size())
    throw std::logic_error("SupernodalCholesky::factorize: the matrix does not have the pattern that was analysed");
  const auto start = Clock::now();
  state.factored = false;
  if (!state.values.data()) {
    const std::size_t width = state.store.storage == Storage::fp64 ? sizeof(double) : sizeof(float);
    state.values = LargeArray(static_cast<std::size_t>(state.statistics.entries) * width);
    state.store.values = state.values.data();
  }
  const Index failed = factor_numerically(matrix.value, state.supernodes, state.tree, state.assembly, state.store);
  if (failed >= 0)
    fail("matrix of {} rows: not positive definite at row {}", matrix.size,
         state.supernodes.order[static_cast<std::size_t>(failed)]);
  state.factored = true;
  state.statistics.numeric_seconds = seconds_since(start);
}

PanelView SupernodalCholesky::State::panel(Index s) const {
  const auto at = static_cast<std::size_t>(s);
  const auto width = static_cast<std::int64_t>(store.storage == Storage::fp64 ? sizeof(double) : sizeof(float));
  return {.values = static_cast<const char*>(store.values) + store.offset[at] * width,
          .columns = supernodes.columns(s),
          .rows = supernodes.rows(s),
          .at = tree.place_in_task.data() + supernodes.border_begin[at]};
}

double* SupernodalCholesky::State::scratch() const {
  thread_local device::AlignedVector<double> space;
  const auto need = static_cast<std::size_t>(scratch_doubles(largest_rows));
  if (space.size() < need) space.resize(need);
  return space.data();
}

void SupernodalCholesky::State::forward(Index t, std::span<const double> b, double* vectors) const {
  const Task& task = tree.tasks[static_cast<std::size_t>(t)];
  double* vector = vectors + task_vector[static_cast<std::size_t>(t)];
  for (Index k = 0; k < task.own; ++k) {
    const auto row = static_cast<std::size_t>(supernodes.order[static_cast<std::size_t>(task.first_pivot + k)]);
    std::copy_n(b.data() + 3 * row, 3, vector + 3 * static_cast<std::ptrdiff_t>(k));
  }
  std::fill(vector + 3 * static_cast<std::ptrdiff_t>(task.own), vector + 3 * static_cast<std::ptrdiff_t>(task.rows()),
            0.0);
  for (const Index c : task.children) {
    const Task& child = tree.tasks[static_cast<std::size_t>(c)];
    const double* from = vectors + task_vector[static_cast<std::size_t>(c)] + 3 * std::ptrdiff_t{child.own};
    for (const Index place : child.place_in_parent)
      for (int axis = 0; axis < 3; ++axis) vector[3 * std::ptrdiff_t{place} + axis] += *from++;
  }
  const SweepKernels& sweep = kernels().sweep;
  const auto kernel = store.storage == Storage::fp64 ? sweep.forward_fp64 : sweep.forward_fp32;
  double* space = scratch();
  for (Index s = task.begin; s < task.end; ++s)
    kernel(panel(s), vector + 3 * std::ptrdiff_t{supernodes.begin[static_cast<std::size_t>(s)] - task.first_pivot},
           vector, space);
}

void SupernodalCholesky::State::backward(Index t, std::span<double> x, double* vectors) const {
  const Task& task = tree.tasks[static_cast<std::size_t>(t)];
  double* vector = vectors + task_vector[static_cast<std::size_t>(t)];
  double* border = vector + 3 * std::ptrdiff_t{task.own};
  if (task.parent >= 0) {
    const double* above = vectors + task_vector[static_cast<std::size_t>(task.parent)];
    for (const Index place : task.place_in_parent)
      for (int axis = 0; axis < 3; ++axis) *border++ = above[3 * std::ptrdiff_t{place} + axis];
  }
  const SweepKernels& sweep = kernels().sweep;
  const auto kernel = store.storage == Storage::fp64 ? sweep.backward_fp64 : sweep.backward_fp32;
  double* space = scratch();
  for (Index s = task.end - 1; s >= task.begin; --s)
    kernel(panel(s), vector + 3 * std::ptrdiff_t{supernodes.begin[static_cast<std::size_t>(s)] - task.first_pivot},
           vector, space);
  for (Index k = 0; k < task.own; ++k) {
    const auto row = static_cast<std::size_t>(supernodes.order[static_cast<std::size_t>(task.first_pivot + k)]);
    std::copy_n(vector + 3 * static_cast<std::ptrdiff_t>(k), 3, x.data() + 3 * row);
  }
}

void SupernodalCholesky::solve(std::span<const double> b, std::span<double> x) const {
  const State& state = *state_;
  if (!state.factored) throw std::logic_error("SupernodalCholesky::solve: no factor; call factorize first");
  const auto size = 3 * static_cast<std::size_t>(state.pattern.size);
  if (b.size() != size || x.size() != size)
    throw std::logic_error("SupernodalCholesky::solve: three values a row are needed in b and x");
  device::AlignedVector<double> vectors;
  {
    const std::lock_guard lock(state.idle_mutex);
    if (!state.idle.empty()) {
      vectors = std::move(state.idle.back());
      state.idle.pop_back();
    }
  }
  vectors.resize(static_cast<std::size_t>(state.vector_doubles));
  walk_up(state.tree, [&](Index task) { state.forward(task, b, vectors.data()); });
  walk_down(state.tree, [&](Index task) { state.backward(task, x, vectors.data()); });
  const std::lock_guard lock(state.idle_mutex);
  state.idle.push_back(std::move(vectors));
}

const FactorStatistics& SupernodalCholesky::statistics() const { return state_->statistics; }

}  // namespace proxima::factor
