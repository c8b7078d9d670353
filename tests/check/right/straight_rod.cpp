// Bending of a rod that is straight at rest, Bergou et al., "Discrete Elastic Rods" (2008): by the curvature at the
// middle one of three nodes.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(straight_rod) {
  auto EI = parameter("EI", joule, 1e-2).positive();
  auto x = node_positions<3>();
  auto e = x[1] - x[0], f = x[2] - x[1];
  return 2 * EI * squared_norm(cross(e, f)) / square(norm(e) * norm(f) + dot(e, f));
}
