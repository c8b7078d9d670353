// compile: of two vectors there are dot(a, b), cross(a, b) and outer(a, b)
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto x = edge_vector();
  return x * x;  // wrong
}
