// Cuts the steps of a huge kernel into chunks that are compiled as functions of their own, since a code generator's
// time and memory grow faster than the length of a function. What one chunk computes and a later one uses passes
// through memory: each such value has a slot of a workspace, and slots are reused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compiler/emit/schedule.hpp"

namespace proxima::emit {

struct Chunks {
  std::vector<std::span<const Step>> once;       // in order; views into the schedule
  std::vector<std::span<const Step>> each_tile;  // likewise
  std::vector<std::uint32_t> slots;              // by node: its slot, or no_slot for a value that stays in its chunk
  std::uint32_t slot_count = 0;

  static constexpr std::uint32_t no_slot = UINT32_MAX;
};

// At most `longest` steps a chunk, those inside its loops included; but a loop and its parts are never divided.
// Constants have no slots: each chunk makes its own.
Chunks cut(const ScheduledKernel& scheduled, std::size_t longest);

}  // namespace proxima::emit
