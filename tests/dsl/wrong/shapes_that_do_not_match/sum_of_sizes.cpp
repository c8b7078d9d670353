// compile: need the same numbers of rows and columns
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = surface_deformation_gradient();
  return squared_norm(transpose(F) * F - identity());  // wrong
}
