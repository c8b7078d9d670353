// A bulk term of the wrong sign: the rest state is free of stress, but a maximum under uniform stretching.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(indefinite) {
  auto mu = parameter("mu", pascal, 3e4).positive();
  auto F = deformation_gradient();
  auto strain = 0.5 * (transpose(F) * F - identity());
  return mu * squared_norm(strain) - 0.5 * mu * square(trace(strain));
}
