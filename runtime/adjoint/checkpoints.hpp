// Which states of a rollout are kept while the sweep back has not reached them, and how many steps are then taken
// again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace proxima::adjoint {

enum class Keep : std::uint8_t {
  all,       // every state
  every,     // one in so many, and those of the stretch that is being read
  binomial,  // as many as the memory holds, placed so that the fewest steps are taken again
};

struct Checkpoints {
  Keep keep = Keep::all;
  int every = 1;          // Keep::every: steps from one kept state to the next
  std::size_t bytes = 0;  // Keep::binomial: for all states that are held at once
};

// How a scene calls it. Throws Error listing the names where there is none of this one.
Keep keep_named(std::string_view name);

// Reading the states before each of `steps` steps backward, the first of them kept and `kept` of them at most, that one
// included: after how many steps, at least 1 and below `steps`, the next is to be kept. The offline schedule of
// Griewank and Walther, "Algorithm 799: revolve" (ACM TOMS 26, 2000), which takes the least number of steps there is:
//   r steps - C(kept + r, r - 1),   r the least with C(kept + r, r) >= steps.
// steps > 1, kept > 0.
int stretch_to_next(int steps, int kept);

}  // namespace proxima::adjoint
