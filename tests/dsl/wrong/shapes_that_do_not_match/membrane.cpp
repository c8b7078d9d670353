// compile: this is of square matrices
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = surface_deformation_gradient();
  return det(F);  // wrong
}
