#include "compiler/check/passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compiler/emit/lower.hpp"
#include "compiler/emit/schedule.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::check {
namespace {

using ir::NodeId;
using ir::Op;

// Operations of the graph with one trip of each loop.
int count(const ir::Graph& graph, std::span<const NodeId> roots) {
  int operations = ir::count_operations(graph, roots).operations;
  const auto live = ir::live_nodes(graph, roots);
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    if (!live[i] || graph.node({i}).op != Op::loop) continue;
    const ir::Loop& loop = graph.loop_of({i});
    std::vector<NodeId> body = loop.next;
    body.push_back(loop.again);
    operations += count(*loop.body, body);
  }
  return operations;
}

int loops_of(const ir::Graph& graph, std::span<const NodeId> roots) {
  const auto live = ir::live_nodes(graph, roots);
  int loops = 0;
  for (std::uint32_t i = 0; i < graph.size(); ++i) loops += live[i] && graph.node({i}).op == Op::loop ? 1 : 0;
  return loops;
}

// The comparisons with a place in the author's source that a condition is made of.
void add_causes(const ir::Graph& graph, NodeId condition, std::vector<std::string>& causes) {
  std::vector<NodeId> pending{condition};
  for (std::size_t k = 0; k < pending.size(); ++k) {
    const ir::Node& node = graph.node(pending[k]);
    if (graph.type(pending[k]) != ir::Type::truth) continue;
    if (node.where.line != 0) {
      const std::string cause =
          fmt::format("{} at {}:{}", ir::describe(node.op).name, graph.files()[node.where.file], node.where.line);
      if (std::ranges::find(causes, cause) == causes.end()) causes.push_back(cause);
      continue;
    }
    const auto operands = graph.operands(pending[k]);
    pending.insert(pending.end(), operands.begin(), operands.end());
  }
}

Guards guards_of(const ir::Kernel& kernel) {
  Guards guards;
  const auto live = ir::live_nodes(kernel.graph, kernel.results);
  for (std::uint32_t i = 0; i < kernel.graph.size(); ++i) {
    const ir::Node& node = kernel.graph.node({i});
    if (!live[i] || node.op != Op::select) continue;
    if (node.where.line != 0) {
      ++guards.written;
      continue;
    }
    ++guards.added;
    add_causes(kernel.graph, kernel.graph.operands({i})[0], guards.causes);
  }
  return guards;
}

int evaluations(const std::vector<emit::Step>& steps, const ir::Graph& graph) {
  return static_cast<int>(std::ranges::count_if(steps, [&](const emit::Step& step) {
    return step.kind == emit::Step::Kind::evaluate && ir::describe(graph.node(step.node).op).form != ir::Form::leaf;
  }));
}

}  // namespace

Passes passes_of(const ir::Kernel& kernel, emit::Precision precision, const emit::Target& target) {
  Passes passes;
  passes.registers = target.vector_bits == 512 ? 32 : 16;  // AVX-512 doubled them
  passes.derived = count(kernel.graph, kernel.results);
  passes.guards = guards_of(kernel);
  const ir::Kernel lowered = emit::lower(kernel, precision);
  passes.lowered = count(lowered.graph, lowered.results);
  passes.loops = loops_of(lowered.graph, lowered.results);
  passes.cost = ir::count_operations(lowered).cost;
  const auto scheduled = emit::schedule(lowered, passes.registers);
  passes.once = evaluations(scheduled.once, lowered.graph);
  passes.each = evaluations(scheduled.each_tile, lowered.graph);
  passes.alive = scheduled.most_alive;
  return passes;
}

}  // namespace proxima::check
