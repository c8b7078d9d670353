// compile: cannot be changed; give the new value a name of its own
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto E = parameter("E", pascal, 1e5).positive();
  E += 1;  // wrong
  return E * squared_norm(deformation_gradient());
}
