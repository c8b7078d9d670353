#include "compiler/emit/schedule.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

#include "compiler/emit/order.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::emit {
namespace {

using ir::Form;
using ir::Graph;
using ir::NodeId;
using ir::Op;

// How orders are chosen.
struct Choice {
  int registers;
  Ordering ordering;

  Order order(const Graph& graph, std::span<const NodeId> roots, const std::vector<bool>& given) const {
    return ordering == Ordering::best ? best_order(graph, roots, given, registers)
                                      : depth_first_order(graph, roots, given, registers);
  }
};

ScheduledLoop schedule_loop(const ir::Loop& loop, const Choice& choice);

// Turns orders of nodes into steps of one graph: each leaf before its first use, parts after their loop.
class Assembly {
 public:
  Assembly(const Graph& graph, std::vector<bool> needed, ScheduledLoops& loops, const Choice& choice)
      : graph_(graph),
        needed_(std::move(needed)),
        loops_(loops),
        choice_(choice),
        done_(graph.size()),
        parts_(graph.size()) {
    for (std::uint32_t i = 0; i < graph.size(); ++i)
      if (needed_[i] && graph.node({i}).op == Op::part) parts_[graph.operands({i})[0].index].push_back({i});
  }

  // `made` is told of each node that has been computed.
  void evaluate(NodeId id, std::vector<Step>& steps, const std::function<void(NodeId)>& made = {}) {
    const auto step = [&](NodeId node) {
      if (done_[node.index]) return;
      done_[node.index] = true;
      steps.push_back({Step::Kind::evaluate, node, 0});
      if (made) made(node);
    };
    for (const NodeId operand : graph_.operands(id))
      if (describe(graph_.node(operand).op).form == Form::leaf) step(operand);
    if (graph_.node(id).op == Op::part) return;
    const ir::Node& node = graph_.node(id);
    if (node.op == Op::loop && !loops_.contains(node.payload))
      loops_.emplace(node.payload, schedule_loop(graph_.loop_of(id), choice_));
    step(id);
    for (const NodeId part : parts_[id.index]) step(part);
  }
  bool done(NodeId id) const { return done_[id.index]; }

 private:
  const Graph& graph_;
  const std::vector<bool> needed_;
  ScheduledLoops& loops_;
  const Choice choice_;
  std::vector<bool> done_;
  std::vector<std::vector<NodeId>> parts_;  // needed ones, by bundle
};

// Entry i: whether node i depends on fixed inputs and constants alone.
std::vector<bool> fixed_nodes(const Graph& graph, const std::function<bool(std::uint64_t slot)>& fixed_input) {
  std::vector<bool> fixed(graph.size());
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    const ir::Node& node = graph.node({i});
    fixed[i] = node.op == Op::input
                   ? fixed_input(node.payload)
                   : std::ranges::all_of(graph.operands({i}), [&](NodeId operand) { return fixed[operand.index]; });
  }
  return fixed;
}

ScheduledLoop schedule_loop(const ir::Loop& loop, const Choice& choice) {
  const Graph& body = *loop.body;
  ScheduledLoop scheduled;
  scheduled.loop = &loop;
  std::vector<NodeId> roots = loop.next;
  roots.push_back(loop.again);
  const std::vector<bool> needed = live_nodes(body, roots);
  std::vector<bool> given = fixed_nodes(body, [&](std::uint64_t slot) { return slot >= loop.next.size(); });
  Assembly assembly(body, needed, scheduled.loops, choice);
  for (std::uint32_t i = 0; i < body.size(); ++i)
    if (needed[i] && given[i]) assembly.evaluate({i}, scheduled.before);
  const auto take = [&](std::span<const NodeId> of, std::vector<Step>& steps) {
    for (const NodeId id : choice.order(body, of, given).nodes) assembly.evaluate(id, steps);
    for (const NodeId root : of)  // one that is a carried value itself
      if (!assembly.done(root)) assembly.evaluate(root, steps);
    for (std::uint32_t i = 0; i < body.size(); ++i) given[i] = given[i] || assembly.done({i});
  };
  take({&loop.again, 1}, scheduled.test);
  take(loop.next, scheduled.advance);
  return scheduled;
}

std::vector<Source> number_inputs(const ir::Kernel& kernel) {
  std::vector<Source> sources;
  for (std::uint32_t f = 0; f < kernel.inputs.size(); ++f)
    for (std::uint32_t s = 0; s < kernel.scalars(kernel.inputs[f]); ++s) sources.push_back({f, s});
  return sources;
}

}  // namespace

std::size_t ScheduledLoop::size() const {
  std::size_t size = before.size() + test.size() + advance.size();
  for (const auto& [number, inner] : loops) size += inner.size();
  return size;
}

ScheduledKernel schedule(const ir::Kernel& kernel, int registers, Ordering ordering) {
  const Choice choice{registers, ordering};
  for (const NodeId result : kernel.results)
    if (kernel.graph.type(result) != ir::Type::number)
      throw std::logic_error(kernel.name + ": a result must be a number");
  const Graph& graph = kernel.graph;
  ScheduledKernel scheduled{
      .kernel = &kernel, .sources = number_inputs(kernel), .once = {}, .each_tile = {}, .loops = {}};
  const std::vector<bool> needed = live_nodes(graph, kernel.results);
  const std::vector<bool> uniform = fixed_nodes(graph, [&](std::uint64_t slot) {
    return kernel.inputs[scheduled.sources.at(slot).field].access == ir::Access::uniform;
  });
  std::vector<std::vector<std::uint32_t>> stores(graph.size());
  for (std::uint32_t r = 0; r < kernel.results.size(); ++r) stores[kernel.results[r].index].push_back(r);

  Assembly assembly(graph, needed, scheduled.loops, choice);
  for (std::uint32_t i = 0; i < graph.size(); ++i)
    if (needed[i] && uniform[i]) assembly.evaluate({i}, scheduled.once);

  const auto store = [&](NodeId id) {
    for (const std::uint32_t result : stores[id.index]) scheduled.each_tile.push_back({Step::Kind::store, id, result});
  };
  const Order order = choice.order(graph, kernel.results, uniform);
  scheduled.most_alive = order.most_alive;
  for (const NodeId id : order.nodes) assembly.evaluate(id, scheduled.each_tile, store);
  // Results that are inputs or the same for all elements.
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    if (stores[i].empty()) continue;
    if (uniform[i]) store({i});
    if (!assembly.done({i})) assembly.evaluate({i}, scheduled.each_tile, store);
  }
  return scheduled;
}

}  // namespace proxima::emit
