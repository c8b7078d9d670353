// Values that cost less to be made again than to be kept. Internal to this room.
#pragma once

#include <vector>

#include "compiler/emit/schedule.hpp"

namespace proxima::emit {

// The steps of `each_tile` with more of them: before a use that is more than `far` steps after the last one, an input
// of an element or its nodes is loaded again, and an addition or the like of such inputs done again. A decomposition or
// a loop counts as `far` steps.
std::vector<Step> with_values_made_again(const ScheduledKernel& scheduled, int far);

}  // namespace proxima::emit
