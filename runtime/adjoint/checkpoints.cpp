#include "runtime/adjoint/checkpoints.hpp"

#include <algorithm>
#include <iterator>

#include "compiler/support/error.hpp"

namespace proxima::adjoint {
namespace {

// C(s + r, r): the most steps that s kept states reverse when none is taken more than r times. s >= 0, r >= 0.
std::int64_t reach(std::int64_t s, std::int64_t r) {
  std::int64_t result = 1;
  for (std::int64_t k = 1; k <= r; ++k) result = result * (s + k) / k;
  return result;
}

constexpr std::string_view names[] = {"all", "every", "binomial"};  // in the order of Keep

}  // namespace

Keep keep_named(std::string_view name) {
  for (std::size_t k = 0; k < std::size(names); ++k)
    if (names[k] == name) return static_cast<Keep>(k);
  fail("there is no way '{}' to keep states for the adjoint; there are {}", name, fmt::join(names, ", "));
}

int stretch_to_next(int steps, int kept) {
  std::int64_t repeats = 1;
  while (reach(kept, repeats) < steps) ++repeats;
  // What lies before the next kept state is reversed with all states and repeats - 1, what lies after it with one state
  // less and `repeats`: any split in which both are within their reach is optimal.
  return static_cast<int>(std::min(reach(kept, repeats - 1), steps - reach(kept - 1, repeats - 1)));
}

}  // namespace proxima::adjoint
