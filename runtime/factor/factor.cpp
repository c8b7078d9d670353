#include "runtime/factor/factor.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include "compiler/support/error.hpp"
#include "runtime/device/aligned.hpp"
#include "runtime/factor/large_array.hpp"
#include "runtime/factor/numeric.hpp"
#include "runtime/factor/panel_shape.hpp"
#include "runtime/factor/supernodes.hpp"
#include "runtime/factor/sweep.hpp"
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
  std::optional<Sweep> sweep;

  // Workspaces of solves that ended, for the next ones.
  mutable std::mutex idle_mutex;
  mutable std::vector<device::AlignedVector<double>> idle;

  device::AlignedVector<double> take_workspace() const;
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
  }
  state.sweep.emplace(state.supernodes, state.tree, state.store);
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

device::AlignedVector<double> SupernodalCholesky::State::take_workspace() const {
  const std::lock_guard lock(idle_mutex);
  if (idle.empty()) return device::AlignedVector<double>(sweep->workspace_doubles());
  device::AlignedVector<double> workspace = std::move(idle.back());
  idle.pop_back();
  return workspace;
}

void SupernodalCholesky::solve(std::span<const double> b, std::span<double> x) const {
  const State& state = *state_;
  if (!state.factored) throw std::logic_error("SupernodalCholesky::solve: no factor; call factorize first");
  const auto size = 3 * static_cast<std::size_t>(state.pattern.size);
  if (b.size() != size || x.size() != size)
    throw std::logic_error("SupernodalCholesky::solve: three values a row are needed in b and x");
  device::AlignedVector<double> workspace = state.take_workspace();
  state.sweep->solve(b, x, workspace.data());
  const std::lock_guard lock(state.idle_mutex);
  state.idle.push_back(std::move(workspace));
}

const FactorStatistics& SupernodalCholesky::statistics() const { return state_->statistics; }

}  // namespace proxima::factor
