// compile: select
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto J = det(deformation_gradient());
  return J < 0.5 ? J : J * J;  // wrong
}
