// A spring that is held at 1.2 times its length until the pull is large enough: its energy has a kink there, at which
// a proximal step ends without solving any equation.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(latch) {
  auto k = parameter("k", joule, 2).positive();
  auto stretch = norm(edge_vector()) / rest_length();
  return k * square(stretch - 1) + 2 * k * (abs(stretch - 1.2) + stretch);
}
