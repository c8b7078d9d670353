// Cuts the steps of a huge kernel, or of a huge loop's body, into chunks that are compiled as functions of their own,
// since a code generator's time and memory grow faster than the length of a function. What one chunk computes and a
// later one uses passes through memory: each such value has a slot of a workspace, and slots are reused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compiler/emit/schedule.hpp"

namespace proxima::emit {

struct Chunks {
  std::vector<std::vector<std::span<const Step>>> sections;  // chunks in order; views into the schedule
  std::vector<std::uint32_t> slots;  // by node: its slot, or no_slot for a value that stays in its chunk
  std::uint32_t slot_count = 0;

  static constexpr std::uint32_t no_slot = UINT32_MAX;

  bool whole() const;  // no section has more than one chunk
};

// At most `longest` steps a chunk, those inside its loops included; but a loop and its parts are never divided (a loop
// that is longer than that is divided by itself). Constants have no slots: each chunk makes its own.
// The sections are `once` and `each_tile`.
Chunks cut(const ScheduledKernel& scheduled, std::size_t longest);

// The same for a body; the sections are `before`, `test` and `advance`. Inputs have no slots either; `again` and `next`
// have slots that stay theirs to the end of a trip.
Chunks cut(const ScheduledLoop& scheduled, std::size_t longest);

// Whether a loop's body is so long that it must be cut.
bool is_long(const ScheduledLoop& scheduled, std::size_t longest);

}  // namespace proxima::emit
