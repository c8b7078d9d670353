#include "runtime/factor/factor.hpp"

#include <fmt/format.h>

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
#include "runtime/factor/panel_pack.hpp"
#include "runtime/factor/panel_shape.hpp"
#include "runtime/factor/paths.hpp"
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
  std::optional<Paths> paths;

  // Workspaces of solves that ended, for the next ones.
  mutable std::mutex idle_mutex;
  mutable std::vector<device::AlignedVector<double>> idle;

  device::AlignedVector<double> take_workspace() const;
  void give_back(device::AlignedVector<double> workspace) const;
};

device::AlignedVector<double> SupernodalCholesky::State::take_workspace() const {
  device::AlignedVector<double> workspace;
  {
    const std::lock_guard lock(idle_mutex);
    if (!idle.empty()) {
      workspace = std::move(idle.back());
      idle.pop_back();
    }
  }
  if (workspace.empty()) workspace.resize(sweep->workspace_doubles());
  return workspace;
}

void SupernodalCholesky::State::give_back(device::AlignedVector<double> workspace) const {
  const std::lock_guard lock(idle_mutex);
  idle.push_back(std::move(workspace));
}

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
  state.paths.emplace(state.supernodes, state.store);
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
  if (failed >= 0) throw NotPositiveDefinite(matrix.size, state.supernodes.order[static_cast<std::size_t>(failed)]);
  state.factored = true;
  state.statistics.numeric_seconds = seconds_since(start);
}

void SupernodalCholesky::check(const char* what, std::span<const double> in, std::span<double> out) const {
  if (!state_->factored)
    throw std::logic_error(fmt::format("SupernodalCholesky::{}: no factor; call factorize first", what));
  const auto values = 3 * static_cast<std::size_t>(size());
  if (in.size() != values || out.size() != values)
    throw std::logic_error(fmt::format("SupernodalCholesky::{}: three values a row are needed", what));
}

void SupernodalCholesky::solve(std::span<const double> b, std::span<double> x) const {
  const RightHandSide one{b, x};
  solve({&one, 1});
}

void SupernodalCholesky::solve(std::span<const RightHandSide> worlds) const {
  for (const RightHandSide& world : worlds) check("solve", world.b, world.x);
  std::vector<device::AlignedVector<double>> workspaces;
  std::vector<Sweep::World> all;
  for (const RightHandSide& world : worlds) {
    workspaces.push_back(state_->take_workspace());
    all.push_back({.b = world.b.data(), .x = world.x.data(), .workspace = workspaces.back().data()});
  }
  state_->sweep->solve(all);
  for (auto& workspace : workspaces) state_->give_back(std::move(workspace));
}

void SupernodalCholesky::forward(std::span<const double> b, std::span<double> y) const {
  check("forward", b, y);
  auto workspace = state_->take_workspace();
  state_->sweep->solve_lower(b, y, workspace.data());
  state_->give_back(std::move(workspace));
}

void SupernodalCholesky::backward(std::span<const double> y, std::span<double> x) const {
  check("backward", y, x);
  auto workspace = state_->take_workspace();
  state_->sweep->solve_upper(y, x, workspace.data());
  state_->give_back(std::move(workspace));
}

const Supernodes& SupernodalCholesky::supernodes() const { return state_->supernodes; }
Storage SupernodalCholesky::storage() const { return state_->store.storage; }

void SupernodalCholesky::copy_block(std::int32_t supernode, std::span<double> out) const {
  if (!state_->factored) throw std::logic_error("SupernodalCholesky::copy_block: no factor; call factorize first");
  const Index columns = state_->supernodes.columns(supernode), rows = state_->supernodes.rows(supernode);
  std::fill(out.begin(), out.end(), 0.0);
  const auto copy = [&](const auto* block) {
    for (Index column = 0; column < columns; column += strip_columns)
      unpack_strip(block, columns, rows, column, out.data());
  };
  const std::int64_t offset = state_->store.offset[static_cast<std::size_t>(supernode)];
  if (state_->store.storage == Storage::fp64)
    copy(static_cast<const double*>(state_->store.values) + offset);
  else
    copy(static_cast<const float*>(state_->store.values) + offset);
}

const Paths& SupernodalCholesky::paths() const {
  if (!state_->factored) throw std::logic_error("SupernodalCholesky::paths: no factor; call factorize first");
  return *state_->paths;
}

SparseColumn SupernodalCholesky::forward_unit(std::int32_t row) const {
  const Paths& all = paths();
  if (row < 0 || row >= size())
    throw std::logic_error(fmt::format("SupernodalCholesky::forward_unit: no row {} of {}", row, size()));
  SparseColumn column;
  all.append_runs(row, column.runs);
  column.values.resize(static_cast<std::size_t>(all.size(row)));
  Paths::Workspace workspace(all);
  double* const values = column.values.data();
  all.columns({&row, 1}, {&values, 1}, workspace);
  return column;
}

std::int32_t SupernodalCholesky::size() const { return state_->pattern.size; }

const FactorStatistics& SupernodalCholesky::statistics() const { return state_->statistics; }

}  // namespace proxima::factor
