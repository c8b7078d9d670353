// trace: rest_length() is that of an edge, but this energy is of deformation_gradient() at
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  return squared_norm(F) * rest_length();  // wrong
}
