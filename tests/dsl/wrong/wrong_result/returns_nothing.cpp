// compile: non-void
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  det(deformation_gradient());
}  // wrong
