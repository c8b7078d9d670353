// compile: a number cannot be added to or subtracted from a matrix; write the number times identity()
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  return squared_norm(F - 1);  // wrong
}
