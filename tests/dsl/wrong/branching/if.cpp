// compile: select
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto J = det(deformation_gradient());
  if (J > 0) return J;  // wrong
  return J * J;
}
