// compile: decompositions are of 3x3 matrices
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = surface_deformation_gradient();
  return squared_norm(singular_values(F));  // wrong
}
