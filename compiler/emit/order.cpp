#include "compiler/emit/order.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>

#include "compiler/ir/operators.hpp"

namespace proxima::emit {
namespace {

using ir::Form;
using ir::NodeId;
using ir::Op;
using Nodes = std::vector<NodeId>;

// What the candidate orders are made from: the nodes that the roots need, and who uses them. A bundle and its parts
// are one unit, named by the bundle.
struct Dag {
  Dag(const ir::Graph& g, std::span<const NodeId> r, const std::vector<bool>& given_nodes)
      : graph(g), given(given_nodes), needed(g.size()), users(g.size()), width(g.size(), 1) {
    for (const NodeId root : r) {
      roots.push_back(unit_of(graph, root));
      need(root);
    }
    for (std::uint32_t i = static_cast<std::uint32_t>(graph.size()); i-- > 0;)
      if (needed[i] && !given[i])
        for (const NodeId operand : graph.operands({i})) need(operand);
    for (std::uint32_t i = 0; i < graph.size(); ++i)
      if (computed({i}))
        for (const NodeId operand : distinct_operands({i})) users[operand.index].push_back({i});
  }

  void need(NodeId id) {
    if (needed[id.index]) return;
    needed[id.index] = true;
    const NodeId unit = unit_of(graph, id);
    if (unit == id) return;
    width[unit.index] += needed[unit.index] ? 1 : 0;
    needed[unit.index] = true;
  }

  bool is_leaf(NodeId id) const { return describe(graph.node(id).op).form == Form::leaf; }
  // Whether the order must have it.
  bool computed(NodeId id) const {
    return needed[id.index] && !given[id.index] && !is_leaf(id) && graph.node(id).op != Op::part;
  }
  // What keeps no register: a library call, and a loop, which wants them all.
  bool is_call(NodeId id) const {
    const Form form = describe(graph.node(id).op).form;
    return form == Form::library || form == Form::loop;
  }

  // Those not given, each once.
  Nodes distinct_operands(NodeId id) const {
    Nodes result;
    for (const NodeId operand : graph.operands(id)) {
      const NodeId unit = unit_of(graph, operand);
      if (!given[unit.index] && std::ranges::find(result, unit) == result.end()) result.push_back(unit);
    }
    return result;
  }

  const ir::Graph& graph;
  const std::vector<bool>& given;
  Nodes roots;
  std::vector<bool> needed;
  std::vector<Nodes> users;
  std::vector<int> width;  // values of a unit
};

// Depth first from the results, the operand that needs more registers first (Sethi and Ullman's rule, which is
// optimal for trees). With `calls_first`, what a library call needs comes before all else.
class DepthFirst {
 public:
  DepthFirst(const Dag& dag, bool calls_first) : dag_(dag), need_(dag.graph.size(), 1), done_(dag.graph.size()) {
    for (std::uint32_t i = 0; i < dag.graph.size(); ++i)
      if (dag.computed({i})) need_[i] = registers_for({i});
    if (calls_first)
      for (std::uint32_t i = 0; i < dag.graph.size(); ++i)
        if (dag.computed({i}) && dag.is_call({i})) visit({i});
    for (const NodeId root : dag.roots) visit(root);
  }
  Nodes take() { return std::move(order_); }

 private:
  Nodes by_need(NodeId id) const {
    auto operands = dag_.distinct_operands(id);
    std::ranges::stable_sort(operands, std::greater{}, [&](NodeId operand) { return need_[operand.index]; });
    return operands;
  }
  int registers_for(NodeId id) const {
    int need = dag_.width[id.index], held = 0;
    for (const NodeId operand : by_need(id)) {
      need = std::max(need, need_[operand.index] + held);
      held += dag_.width[operand.index];
    }
    return need;
  }
  // With a stack of its own: a graph may be deeper than the thread's stack.
  void visit(NodeId root) {
    std::vector<std::pair<NodeId, bool>> pending{{root, false}};
    while (!pending.empty()) {
      const auto [id, operands_done] = pending.back();
      pending.pop_back();
      if (!dag_.computed(id) || done_[id.index]) continue;
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
  Nodes order_;
};

// Values alive after each step, as steps are taken.
class Liveness {
 public:
  explicit Liveness(const Dag& dag) : dag_(dag), waiting_(dag.graph.size()), alive_(dag.graph.size()) {
    for (std::size_t i = 0; i < waiting_.size(); ++i) waiting_[i] = static_cast<int>(dag.users[i].size());
  }

  // How many more values are alive after `id` is computed.
  int change(NodeId id) const {
    int delta = waiting_[id.index] > 0 ? dag_.width[id.index] : 0;
    for (const NodeId operand : dag_.distinct_operands(id)) {
      const bool last = waiting_[operand.index] == 1;
      delta += ((last ? 0 : 1) - (alive_[operand.index] ? 1 : 0)) * dag_.width[operand.index];
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
    count_ += ((alive ? 1 : 0) - (alive_[id.index] ? 1 : 0)) * dag_.width[id.index];
    alive_[id.index] = alive;
  }
  const Dag& dag_;
  std::vector<int> waiting_;  // users not yet computed
  std::vector<bool> alive_;
  int count_ = 0;
};

// Always the ready node that frees the most values; among equals the one that became ready last, which keeps to a
// part of the graph until it is done. Only the latest `window` ready nodes are looked at, for speed in huge graphs.
Nodes greedy(const Dag& dag) {
  constexpr std::ptrdiff_t window = 64;
  std::vector<int> missing(dag.graph.size());
  Nodes ready;
  for (std::uint32_t i = 0; i < dag.graph.size(); ++i) {
    if (!dag.computed({i})) continue;
    missing[i] = static_cast<int>(
        std::ranges::count_if(dag.distinct_operands({i}), [&](NodeId operand) { return !dag.is_leaf(operand); }));
    if (missing[i] == 0) ready.push_back({i});
  }
  std::ranges::reverse(ready);
  Liveness liveness(dag);
  Nodes order;
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

Pressure measure(const Dag& dag, const Nodes& order, int registers) {
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

}  // namespace

ir::NodeId unit_of(const ir::Graph& graph, ir::NodeId id) {
  return graph.node(id).op == Op::part ? graph.operands(id)[0] : id;
}

Order best_order(const ir::Graph& graph, std::span<const NodeId> roots, const std::vector<bool>& given, int registers) {
  const Dag dag(graph, roots, given);
  Order best;
  Pressure least{.most_alive = 0, .spills = std::numeric_limits<long>::max()};
  for (Nodes& nodes : std::array{greedy(dag), DepthFirst(dag, false).take(), DepthFirst(dag, true).take()}) {
    const Pressure pressure = measure(dag, nodes, registers);
    if (pressure.spills >= least.spills) continue;
    least = pressure;
    best.nodes = std::move(nodes);
  }
  best.most_alive = least.most_alive;
  return best;
}

Order depth_first_order(const ir::Graph& graph, std::span<const ir::NodeId> roots, const std::vector<bool>& given,
                        int registers) {
  const Dag dag(graph, roots, given);
  Order order{.nodes = DepthFirst(dag, false).take(), .most_alive = 0};
  order.most_alive = measure(dag, order.nodes, registers).most_alive;
  return order;
}

}  // namespace proxima::emit
