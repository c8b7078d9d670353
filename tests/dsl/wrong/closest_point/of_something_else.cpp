// trace: a projection is of the strain measure itself
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  auto C = transpose(F) * F;
  return projection(parameter("w", pascal, 1e5), C, identity());  // wrong
}
