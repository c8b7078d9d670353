// Kelvin-Voigt viscosity, a damper beside the elastic law: Landau and Lifshitz, "Theory of Elasticity" (1986), section
// 34, with the rate of the Green strain. That strain does not change in a rigid motion, rotation included, so only
// deformation is slowed, unlike with Rayleigh damping. To be used together with an elastic energy.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_DISSIPATION(kelvin_voigt) {
  auto eta = parameter("eta", pascal_second, 100).positive();    // shear viscosity
  auto zeta = parameter("zeta", pascal_second, 100).positive();  // second viscosity: of a change of volume

  auto F = deformation_gradient();
  auto strain_rate = rate(0.5 * (transpose(F) * F - identity()));
  auto volume_rate = trace(strain_rate);
  return eta * squared_norm(strain_rate - volume_rate / 3 * identity()) + 0.5 * zeta * square(volume_rate);
}
