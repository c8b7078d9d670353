// The norm of the strain has no derivative where the strain is zero.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(nan_at_rest) {
  auto mu = parameter("mu", pascal, 3e4).positive();
  auto F = deformation_gradient();
  return mu * norm(transpose(F) * F - identity());
}
