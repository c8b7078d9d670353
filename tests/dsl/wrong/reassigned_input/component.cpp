// compile: cannot be changed; give the new value a name of its own
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto x = edge_vector();
  x[1] *= 2;  // wrong
  return squared_norm(x);
}
