// St. Venant-Kirchhoff solid: Bonet and Wood, "Nonlinear Continuum Mechanics for Finite Element Analysis" (2008),
// chapter 6. Hooke's law for the Green strain: for large rotations, but not for large compression.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(st_venant_kirchhoff) {
  auto E = parameter("E", pascal, 1e5).positive();                 // Young's modulus
  auto nu = parameter("nu", dimensionless, 0.4).between(-1, 0.5);  // Poisson's ratio
  auto mu = E / (2 * (1 + nu));
  auto lambda = E * nu / ((1 + nu) * (1 - 2 * nu));

  auto F = deformation_gradient();
  auto green_strain = 0.5 * (transpose(F) * F - identity());
  return mu * squared_norm(green_strain) + 0.5 * lambda * square(trace(green_strain));
}
