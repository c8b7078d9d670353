// A bounded function of the strain: stress that rises and goes back to nothing.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(softening) {
  auto mu = parameter("mu", pascal, 3e4).positive();
  auto F = deformation_gradient();
  auto strain = 0.5 * (transpose(F) * F - identity());
  return mu * tanh(squared_norm(strain));
}
