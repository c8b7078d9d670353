#include "compiler/emit/chunks.hpp"

#include "compiler/ir/operators.hpp"

namespace proxima::emit {
namespace {

using ir::NodeId;

// How long the code of a step is.
std::size_t weight(const ScheduledKernel& scheduled, const Step& step) {
  const ir::Node& node = scheduled.kernel->graph.node(step.node);
  const bool loop = step.kind == Step::Kind::evaluate && node.op == ir::Op::loop;
  return loop ? 1 + scheduled.loops.at(node.payload).size() : 1;
}

std::vector<std::span<const Step>> pieces(const ScheduledKernel& scheduled, std::span<const Step> steps,
                                          std::size_t longest) {
  std::vector<std::span<const Step>> result;
  std::size_t begin = 0, length = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const std::size_t more = weight(scheduled, steps[k]);
    const bool with_its_loop = scheduled.kernel->graph.node(steps[k].node).op == ir::Op::part;
    if (length > 0 && length + more > longest && !with_its_loop) {
      result.push_back(steps.subspan(begin, k - begin));
      begin = k;
      length = 0;
    }
    length += more;
  }
  if (length > 0) result.push_back(steps.subspan(begin));
  return result;
}

// The chunk that makes each node's value and the last one that uses it.
struct Lifetimes {
  explicit Lifetimes(const ir::Graph& g) : graph(g), made(g.size()), used(g.size()) {}
  void pass(std::span<const Step> chunk) {
    for (const Step& step : chunk) {
      if (step.kind == Step::Kind::store) {
        used[step.node.index] = now;
        continue;
      }
      made[step.node.index] = used[step.node.index] = now;
      for (const NodeId operand : graph.operands(step.node)) used[operand.index] = now;
    }
    ++now;
  }
  bool crosses(NodeId id) const { return used[id.index] > made[id.index] && !graph.is_constant(id); }

  const ir::Graph& graph;
  std::vector<std::uint32_t> made, used;
  std::uint32_t now = 0;
};

}  // namespace

Chunks cut(const ScheduledKernel& scheduled, std::size_t longest) {
  const ir::Graph& graph = scheduled.kernel->graph;
  Chunks chunks{.once = pieces(scheduled, scheduled.once, longest),
                .each_tile = pieces(scheduled, scheduled.each_tile, longest),
                .slots = std::vector(graph.size(), Chunks::no_slot)};
  Lifetimes lifetimes(graph);
  for (const auto chunk : chunks.once) lifetimes.pass(chunk);
  const std::uint32_t first_of_tile = lifetimes.now;
  for (const auto chunk : chunks.each_tile) lifetimes.pass(chunk);

  std::vector<std::uint32_t> free;
  std::vector<std::vector<std::uint32_t>> freed_after(lifetimes.now);
  std::uint32_t now = 0;
  const auto give_slots = [&](std::span<const Step> chunk) {
    for (const Step& step : chunk) {
      if (step.kind == Step::Kind::store || !lifetimes.crosses(step.node)) continue;
      if (free.empty()) free.push_back(chunks.slot_count++);
      const std::uint32_t slot = chunks.slots[step.node.index] = free.back();
      free.pop_back();
      // What is computed once serves every tile, so its slot is never free again.
      const std::uint32_t last = lifetimes.used[step.node.index];
      if (now >= first_of_tile || last < first_of_tile) freed_after[last].push_back(slot);
    }
    free.insert(free.end(), freed_after[now].begin(), freed_after[now].end());
    ++now;
  };
  for (const auto chunk : chunks.once) give_slots(chunk);
  for (const auto chunk : chunks.each_tile) give_slots(chunk);
  return chunks;
}

}  // namespace proxima::emit
