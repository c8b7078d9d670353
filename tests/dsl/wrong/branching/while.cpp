// compile: select
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto J = det(deformation_gradient());
  while (J > 1) J *= 0.5;  // wrong
  return J;
}
