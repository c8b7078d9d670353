// What a node sinks into, by Hertz's law: a force that grows with the power 3/2 of the depth, and nothing above.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(foundation) {
  auto k = parameter("k", newton_per_metre, 2e3).positive();
  auto depth = max(rest_positions<1>()[0][2] - node_positions<1>()[0][2], 0);
  return 0.4 * k * pow(depth, 2.5) + 10 * squared_norm(node_positions<1>()[0] - rest_positions<1>()[0]);
}
