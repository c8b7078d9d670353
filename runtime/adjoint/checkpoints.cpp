#include "runtime/adjoint/checkpoints.hpp"

#include <algorithm>

namespace proxima::adjoint {
namespace {

// C(s + r, r): the most steps that s kept states reverse when none is taken more than r times. s >= 0, r >= 0.
std::int64_t reach(std::int64_t s, std::int64_t r) {
  std::int64_t result = 1;
  for (std::int64_t k = 1; k <= r; ++k) result = result * (s + k) / k;
  return result;
}

}  // namespace

int stretch_to_next(int steps, int kept) {
  std::int64_t repeats = 1;
  while (reach(kept, repeats) < steps) ++repeats;
  // What lies before the next kept state is reversed with all states and repeats - 1, what lies after it with one state
  // less and `repeats`: any split in which both are within their reach is optimal.
  return static_cast<int>(std::min(reach(kept, repeats - 1), steps - reach(kept - 1, repeats - 1)));
}

}  // namespace proxima::adjoint
