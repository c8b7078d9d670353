// compile: operator+
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  return trace(F + F.row(0));  // wrong
}
