// trace: does not depend on its strain measure, edge_vector()
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {  // wrong
  auto k = parameter("k", newton, 1);
  auto x = edge_vector();
  return k * rest_length();
}
