// compile: Mat<3, 3>
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  return transpose(F) * F;  // wrong
}
