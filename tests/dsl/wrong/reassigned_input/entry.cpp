// compile: cannot be changed; give the new value a name of its own
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  F(2, 2) = 1;  // wrong
  return squared_norm(F);
}
