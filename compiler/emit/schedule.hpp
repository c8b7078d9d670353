// A kernel as a list of steps: what every printer of code starts from. Decides what is computed once a launch and what
// once a tile, and in which order, so that few values are alive at a time. Knows no target's instructions; changes no
// formula.
#pragma once

#include <cstdint>
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

struct ScheduledKernel {
  const ir::Kernel* kernel;     // must outlive the schedule
  std::vector<Source> sources;  // by input slot
  std::vector<Step> once;       // nodes that depend on uniform fields and constants alone
  std::vector<Step> each_tile;
  int most_alive = 0;  // values alive at the worst point of each_tile, besides those of `once`
};

// `registers`: vector registers that the target has for values; decides between orders.
ScheduledKernel schedule(const ir::Kernel& kernel, int registers);

}  // namespace proxima::emit
