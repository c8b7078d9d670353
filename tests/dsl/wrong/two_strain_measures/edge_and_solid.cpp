// trace: an energy is a function of one strain measure; this one is of deformation_gradient() at
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  auto x = edge_vector();  // wrong
  return squared_norm(F) + squared_norm(x);
}
