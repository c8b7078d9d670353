// trace: direction 'fibre' is declared twice
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto a = direction("fibre");
  auto b = direction("fibre");  // wrong
  return dot(deformation_gradient() * a, b);
}
