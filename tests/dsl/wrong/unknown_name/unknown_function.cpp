// compile: determinant
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  return determinant(deformation_gradient());  // wrong
}
