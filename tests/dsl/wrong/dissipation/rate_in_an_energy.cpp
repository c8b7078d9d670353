// trace: energy 'wrong' depends on the previous strain; a potential of rates is a PROXIMA_DISSIPATION
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  return squared_norm(rate(F));  // wrong
}
