#include "compiler/emit/schedule.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

#include "compiler/ir/operators.hpp"

namespace proxima::emit {
namespace {

using ir::Form;
using ir::NodeId;
using ir::Op;

// What the candidate orders are made from: the nodes that the results need, and who uses them.
struct Dag {
  explicit Dag(const ir::Kernel& k, const std::vector<Source>& sources) : kernel(k), graph(k.graph) {
    const std::size_t size = graph.size();
    needed.resize(size);
    uniform.resize(size);
    users.resize(size);
    stores.resize(size);
    for (std::uint32_t r = 0; r < kernel.results.size(); ++r) {
      needed[kernel.results[r].index] = true;
      stores[kernel.results[r].index].push_back(r);
    }
    for (std::uint32_t i = static_cast<std::uint32_t>(size); i-- > 0;)
      if (needed[i])
        for (const NodeId operand : graph.operands({i})) needed[operand.index] = true;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (!needed[i]) continue;
      uniform[i] = is_uniform({i}, sources);
      if (uniform[i]) continue;
      for (const NodeId operand : distinct_operands({i})) users[operand.index].push_back({i});
    }
  }

  bool is_uniform(NodeId id, const std::vector<Source>& sources) const {
    const ir::Node& node = graph.node(id);
    if (node.op == Op::constant) return true;
    if (node.op == Op::input) return kernel.inputs[sources[node.payload].field].access == ir::Access::uniform;
    return std::ranges::all_of(graph.operands(id), [&](NodeId operand) { return uniform[operand.index]; });
  }

  // Those computed once a tile, each once.
  std::vector<NodeId> distinct_operands(NodeId id) const {
    std::vector<NodeId> result;
    for (const NodeId operand : graph.operands(id))
      if (!uniform[operand.index] && std::ranges::find(result, operand) == result.end()) result.push_back(operand);
    return result;
  }

  bool is_leaf(NodeId id) const { return describe(graph.node(id).op).form == Form::leaf; }
  bool is_call(NodeId id) const { return describe(graph.node(id).op).form == Form::library; }

  const ir::Kernel& kernel;
  const ir::Graph& graph;
  std::vector<bool> needed, uniform;
  std::vector<std::vector<NodeId>> users;          // once-a-tile users
  std::vector<std::vector<std::uint32_t>> stores;  // results that are this node
};

using Order = std::vector<NodeId>;  // once-a-tile nodes that are no leaves

// Depth first from the results, the operand that needs more registers first (Sethi and Ullman's rule, which is
// optimal for trees). With `calls_first`, what a library call needs comes before all else.
class DepthFirst {
 public:
  DepthFirst(const Dag& dag, bool calls_first) : dag_(dag), need_(dag.graph.size(), 1), done_(dag.graph.size()) {
    for (std::uint32_t i = 0; i < dag.graph.size(); ++i)
      if (dag.needed[i] && !dag.uniform[i] && !dag.is_leaf({i})) need_[i] = registers_for({i});
    if (calls_first)
      for (std::uint32_t i = 0; i < dag.graph.size(); ++i)
        if (dag.needed[i] && !dag.uniform[i] && dag.is_call({i})) visit({i});
    for (const NodeId result : dag.kernel.results) visit(result);
  }
  Order take() { return std::move(order_); }

 private:
  std::vector<NodeId> by_need(NodeId id) const {
    auto operands = dag_.distinct_operands(id);
    std::ranges::stable_sort(operands, std::greater{}, [&](NodeId operand) { return need_[operand.index]; });
    return operands;
  }
  int registers_for(NodeId id) const {
    int need = 1, held = 0;
    for (const NodeId operand : by_need(id)) need = std::max(need, need_[operand.index] + held++);
    return need;
  }
  // With a stack of its own: a graph may be deeper than the thread's stack.
  void visit(NodeId root) {
    std::vector<std::pair<NodeId, bool>> pending{{root, false}};
    while (!pending.empty()) {
      const auto [id, operands_done] = pending.back();
      pending.pop_back();
      if (dag_.uniform[id.index] || dag_.is_leaf(id) || done_[id.index]) continue;
      if (operands_done) {
        done_[id.index] = true;
        order_.push_back(id);
        continue;
      }
      pending.push_back({id, true});
      const auto operands = by_need(id);
      for (auto operand = operands.rbegin(); operand != operands.rend(); ++operand)
        pending.push_back({*operand, false});
    }
  }

  const Dag& dag_;
  std::vector<int> need_;
  std::vector<bool> done_;
  Order order_;
};

// Values alive after each step, as steps are taken.
class Liveness {
 public:
  explicit Liveness(const Dag& dag) : dag_(dag), waiting_(dag.graph.size()), alive_(dag.graph.size()) {
    for (std::size_t i = 0; i < waiting_.size(); ++i) waiting_[i] = static_cast<int>(dag.users[i].size());
  }

  // How many more values are alive after `id` is computed.
  int change(NodeId id) const {
    int delta = waiting_[id.index] > 0 ? 1 : 0;
    for (const NodeId operand : dag_.distinct_operands(id)) {
      const bool last = waiting_[operand.index] == 1;
      delta += (last ? 0 : 1) - (alive_[operand.index] ? 1 : 0);
    }
    return delta;
  }
  void take(NodeId id) {
    for (const NodeId operand : dag_.distinct_operands(id)) set(operand, --waiting_[operand.index] > 0);
    set(id, waiting_[id.index] > 0);
  }
  int count() const { return count_; }

 private:
  void set(NodeId id, bool alive) {
    count_ += (alive ? 1 : 0) - (alive_[id.index] ? 1 : 0);
    alive_[id.index] = alive;
  }
  const Dag& dag_;
  std::vector<int> waiting_;  // users not yet computed
  std::vector<bool> alive_;
  int count_ = 0;
};

// Always the ready node that frees the most values; among equals the one that became ready last, which keeps to a
// part of the graph until it is done. Only the latest `window` ready nodes are looked at, for speed in huge graphs.
Order greedy(const Dag& dag) {
  constexpr std::ptrdiff_t window = 64;
  std::vector<int> missing(dag.graph.size());
  std::vector<NodeId> ready;
  for (std::uint32_t i = 0; i < dag.graph.size(); ++i) {
    if (!dag.needed[i] || dag.uniform[i] || dag.is_leaf({i})) continue;
    missing[i] = static_cast<int>(
        std::ranges::count_if(dag.distinct_operands({i}), [&](NodeId operand) { return !dag.is_leaf(operand); }));
    if (missing[i] == 0) ready.push_back({i});
  }
  std::ranges::reverse(ready);
  Liveness liveness(dag);
  Order order;
  while (!ready.empty()) {
    auto best = ready.end() - 1;
    for (auto candidate = best; candidate != ready.begin() && ready.end() - candidate < window;)
      if (liveness.change(*--candidate) < liveness.change(*best)) best = candidate;
    const NodeId id = *best;
    ready.erase(best);
    liveness.take(id);
    order.push_back(id);
    for (const NodeId user : dag.users[id.index])
      if (--missing[user.index] == 0) ready.push_back(user);
  }
  return order;
}

struct Pressure {
  int most_alive = 0;
  long spills = 0;  // value-steps beyond the registers, and values alive across calls (which keep no vector register)
};

Pressure measure(const Dag& dag, const Order& order, int registers) {
  Liveness liveness(dag);
  Pressure pressure;
  for (const NodeId id : order) {
    liveness.take(id);
    pressure.most_alive = std::max(pressure.most_alive, liveness.count());
    if (dag.is_call(id))
      pressure.spills += liveness.count();
    else
      pressure.spills += std::max(0, liveness.count() - registers);
  }
  return pressure;
}

std::vector<Source> number_inputs(const ir::Kernel& kernel) {
  std::vector<Source> sources;
  for (std::uint32_t f = 0; f < kernel.inputs.size(); ++f)
    for (std::uint32_t s = 0; s < kernel.scalars(kernel.inputs[f]); ++s) sources.push_back({f, s});
  return sources;
}

}  // namespace

ScheduledKernel schedule(const ir::Kernel& kernel, int registers) {
  for (const NodeId result : kernel.results)
    if (kernel.graph.type(result) != ir::Type::number)
      throw std::logic_error(kernel.name + ": a truth value cannot be a result");
  ScheduledKernel scheduled{.kernel = &kernel, .sources = number_inputs(kernel), .once = {}, .each_tile = {}};
  const Dag dag(kernel, scheduled.sources);

  for (std::uint32_t i = 0; i < dag.graph.size(); ++i)
    if (dag.needed[i] && dag.uniform[i]) scheduled.once.push_back({Step::Kind::evaluate, {i}, 0});

  Order best;
  Pressure least{.most_alive = 0, .spills = std::numeric_limits<long>::max()};
  for (Order& order : std::array{greedy(dag), DepthFirst(dag, false).take(), DepthFirst(dag, true).take()}) {
    const Pressure pressure = measure(dag, order, registers);
    if (pressure.spills >= least.spills) continue;
    least = pressure;
    best = std::move(order);
  }
  scheduled.most_alive = least.most_alive;

  std::vector<bool> loaded(dag.graph.size());
  const auto store = [&](NodeId id) {
    for (const std::uint32_t result : dag.stores[id.index])
      scheduled.each_tile.push_back({Step::Kind::store, id, result});
  };
  const auto evaluate = [&](NodeId id) { scheduled.each_tile.push_back({Step::Kind::evaluate, id, 0}); };
  for (const NodeId id : best) {
    for (const NodeId operand : dag.distinct_operands(id))
      if (dag.is_leaf(operand) && !loaded[operand.index]) {
        loaded[operand.index] = true;
        evaluate(operand);
      }
    evaluate(id);
    store(id);
  }
  // Results that are inputs or the same for all elements.
  for (std::uint32_t i = 0; i < dag.graph.size(); ++i) {
    if (dag.stores[i].empty() || !(dag.uniform[i] || dag.is_leaf({i}))) continue;
    if (!dag.uniform[i] && !loaded[i]) evaluate({i});
    store({i});
  }
  return scheduled;
}

}  // namespace proxima::emit
