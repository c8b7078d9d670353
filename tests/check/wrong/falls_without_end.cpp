// A volume term that grows more slowly than what is taken off: the energy is lowest for an element that is torn apart.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(falls_without_end) {
  auto mu = parameter("mu", pascal, 3e4).positive();
  auto F = deformation_gradient();
  auto strain = 0.5 * (transpose(F) * F - identity());
  auto volume = log(det(F));
  return mu * square(trace(strain)) * (1 - 0.1 * trace(strain)) + mu * squared_norm(strain) + mu * square(volume);
}
