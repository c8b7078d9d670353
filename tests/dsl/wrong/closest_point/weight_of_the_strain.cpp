// trace: the weight of a projection must not depend on the strain measure
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  return projection(det(F), F, closest_rotation(F));  // wrong
}
