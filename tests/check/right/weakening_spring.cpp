// A spring that weakens by the largest work it has stored. At rest its history is exactly as large as what it is the
// maximum of, so that rounding decides there which one counts; `rate` is in the update rule alone.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(weakening_spring) {
  auto k = parameter("k", newton_per_metre, 300).positive();
  auto rate = parameter("rate", dimensionless, 0.4).between(0, 1);
  auto x = edge_vector();
  auto damage = history("damage", 0);
  auto stretch = norm(x) / rest_length();
  auto work = squared_norm(x) / square(rest_length()) - 2 * stretch + 1;
  update(damage, max(damage, 1 - exp(-rate * work)));
  return 0.5 * k * (1 - damage) * square(norm(x) - rest_length());
}
