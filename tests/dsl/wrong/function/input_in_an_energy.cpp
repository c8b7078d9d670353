// trace: input(...) belongs into a PROXIMA_FUNCTION; 'spring' is an energy
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(spring) {
  auto k = input("k");  // wrong
  return k * squared_norm(deformation_gradient());
}
