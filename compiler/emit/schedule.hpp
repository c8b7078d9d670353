// A kernel as a list of steps: what every printer of code starts from. Decides what is computed once a launch, what
// once a tile, and what once before a loop, and in which order, so that few values are alive at a time. Knows no
// target's instructions; changes no formula. Composite operators must have been lowered (lower.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/ir/kernel.hpp"

namespace proxima::emit {

// Where scalar input `slot` of the graph comes from: scalar number `scalar` of input field `field` (for a nodal field
// corner * components + component).
struct Source {
  std::uint32_t field;
  std::uint32_t scalar;
};

struct Step {
  enum class Kind : std::uint8_t { evaluate, store };
  Kind kind;
  ir::NodeId node;       // evaluate: the node to compute (inputs too, at their first use); store: the value
  std::uint32_t result;  // store: its number in Kernel::results
};

struct ScheduledLoop;
// The loops of one graph by their number there (ir::Node::payload).
using ScheduledLoops = std::map<std::uint64_t, ScheduledLoop>;

// Steps of a loop's body, all of kind evaluate.
struct ScheduledLoop {
  const ir::Loop* loop = nullptr;
  std::vector<Step> before;   // what depends on captured values alone
  std::vector<Step> test;     // in each trip what `again` needs, and
  std::vector<Step> advance;  // what `next` needs besides
  ScheduledLoops loops;       // inside the body

  std::size_t size() const;  // steps, inner loops included
};

// Parts follow their loop immediately.
struct ScheduledKernel {
  const ir::Kernel* kernel;     // must outlive the schedule
  std::vector<Source> sources;  // by input slot
  std::vector<Step> once;       // nodes that depend on uniform fields and constants alone
  std::vector<Step> each_tile;
  ScheduledLoops loops;
  int most_alive = 0;  // values alive at the worst point of each_tile, besides those of `once`
};

// best: of several orders the one that needs the fewest values beyond the registers.
enum class Ordering : std::uint8_t { best, depth_first };

// `registers`: vector registers that the target has for values; decides between orders.
ScheduledKernel schedule(const ir::Kernel& kernel, int registers, Ordering ordering = Ordering::best);

}  // namespace proxima::emit
