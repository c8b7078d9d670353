// trace: does not give points of a set back
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  return projection(parameter("w", pascal, 1e5), F, 0.5 * F);  // wrong
}
