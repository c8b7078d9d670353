// trace: does not give the closest point
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto x = edge_vector();
  auto shadow = vector(x[0] + x[1], 0, 0);  // in the set, but not below x
  return projection(parameter("k", newton_per_metre, 1), x, shadow);  // wrong
}
