// compile: the unit comes after the name
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto mu = parameter("mu", pascal).positive();  // wrong
  return mu * det(deformation_gradient());
}
