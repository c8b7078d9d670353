#include "compiler/emit/chunks.hpp"

#include <algorithm>

#include "compiler/ir/operators.hpp"

namespace proxima::emit {
namespace {

using ir::Graph;
using ir::NodeId;
using ir::Op;
using Pieces = std::vector<std::span<const Step>>;

// How much code a loop adds where it stands: none if it is cut into functions of its own.
std::size_t weight(const ScheduledLoop& loop, std::size_t longest) {
  std::size_t steps = loop.before.size() + loop.test.size() + loop.advance.size();
  for (const auto& [number, inner] : loop.loops) steps += weight(inner, longest);
  return steps > longest ? 0 : steps;
}

struct Whole {
  const Graph& graph;
  const ScheduledLoops& loops;
  std::vector<std::span<const Step>> sections;  // the first is computed once, the others again and again
  std::vector<NodeId> kept;                     // to the end of a repetition
  bool inputs_need_slots;
};

Pieces pieces(const Whole& whole, std::span<const Step> steps, std::size_t longest) {
  Pieces result;
  std::size_t begin = 0, length = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const ir::Node& node = whole.graph.node(steps[k].node);
    const bool loop = steps[k].kind == Step::Kind::evaluate && node.op == Op::loop;
    const std::size_t more = loop ? 1 + weight(whole.loops.at(node.payload), longest) : 1;
    if (length > 0 && length + more > longest && node.op != Op::part) {
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
  explicit Lifetimes(const Whole& w) : whole(w), made(w.graph.size()), used(w.graph.size()), stays(w.graph.size()) {
    for (const NodeId id : w.kept) stays[id.index] = true;
  }
  void pass(std::span<const Step> chunk) {
    for (const Step& step : chunk) {
      if (step.kind == Step::Kind::store) {
        used[step.node.index] = now;
        continue;
      }
      made[step.node.index] = used[step.node.index] = now;
      for (const NodeId operand : whole.graph.operands(step.node)) used[operand.index] = now;
    }
    ++now;
  }
  bool needs_slot(NodeId id) const {
    const Op op = whole.graph.node(id).op;
    if (op == Op::constant || (op == Op::input && !whole.inputs_need_slots)) return false;
    return stays[id.index] || used[id.index] > made[id.index];
  }

  const Whole& whole;
  std::vector<std::uint32_t> made, used;
  std::vector<bool> stays;
  std::uint32_t now = 0;
};

Chunks cut(const Whole& whole, std::size_t longest) {
  Chunks chunks{.sections = {}, .slots = std::vector(whole.graph.size(), Chunks::no_slot)};
  Lifetimes lifetimes(whole);
  std::uint32_t first_repeated = 0;
  for (const auto section : whole.sections) {
    chunks.sections.push_back(pieces(whole, section, longest));
    for (const auto chunk : chunks.sections.back()) lifetimes.pass(chunk);
    if (chunks.sections.size() == 1) first_repeated = lifetimes.now;
  }

  std::vector<std::uint32_t> free;
  std::vector<std::vector<std::uint32_t>> freed_after(lifetimes.now);
  std::uint32_t now = 0;
  const auto give_slots = [&](std::span<const Step> chunk) {
    for (const Step& step : chunk) {
      if (step.kind == Step::Kind::store || !lifetimes.needs_slot(step.node)) continue;
      if (free.empty()) free.push_back(chunks.slot_count++);
      const std::uint32_t slot = chunks.slots[step.node.index] = free.back();
      free.pop_back();
      // What is computed once serves every repetition, so its slot is never free again.
      const std::uint32_t last = lifetimes.used[step.node.index];
      const bool serves_all = now < first_repeated && last >= first_repeated;
      if (!serves_all && !lifetimes.stays[step.node.index]) freed_after[last].push_back(slot);
    }
    free.insert(free.end(), freed_after[now].begin(), freed_after[now].end());
    ++now;
  };
  for (const Pieces& section : chunks.sections)
    for (const auto chunk : section) give_slots(chunk);
  return chunks;
}

}  // namespace

bool Chunks::whole() const {
  return std::ranges::all_of(sections, [](const auto& section) { return section.size() <= 1; });
}

Chunks cut(const ScheduledKernel& scheduled, std::size_t longest) {
  return cut(Whole{.graph = scheduled.kernel->graph,
                   .loops = scheduled.loops,
                   .sections = {scheduled.once, scheduled.each_tile},
                   .kept = {},
                   .inputs_need_slots = true},
             longest);
}

Chunks cut(const ScheduledLoop& scheduled, std::size_t longest) {
  std::vector<NodeId> kept = scheduled.loop->next;
  kept.push_back(scheduled.loop->again);
  return cut(Whole{.graph = *scheduled.loop->body,
                   .loops = scheduled.loops,
                   .sections = {scheduled.before, scheduled.test, scheduled.advance},
                   .kept = std::move(kept),
                   .inputs_need_slots = false},
             longest);
}

bool is_long(const ScheduledLoop& scheduled, std::size_t longest) { return weight(scheduled, longest) == 0; }

}  // namespace proxima::emit
