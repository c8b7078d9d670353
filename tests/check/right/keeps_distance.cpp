// Two nodes that want to be half a metre apart, wherever they are at rest.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(keeps_distance) {
  auto k = parameter("k", newton_per_metre, 1e3).positive();
  auto x = node_positions<2>();
  return 0.5 * k * square(norm(x[1] - x[0]) - 0.5);
}
