// compile: a vector cannot be added to or subtracted from a matrix
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  return trace(F + F.row(0));  // wrong
}
