// Compressible Neo-Hookean solid: Bonet and Wood, "Nonlinear Continuum Mechanics for Finite Element Analysis" (2008),
// section 6.4. Infinite as the volume goes to zero; an inverted element has no energy.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(neo_hookean) {
  auto E = parameter("E", pascal, 1e5).positive();                 // Young's modulus
  auto nu = parameter("nu", dimensionless, 0.4).between(-1, 0.5);  // Poisson's ratio
  auto mu = E / (2 * (1 + nu));
  auto lambda = E * nu / ((1 + nu) * (1 - 2 * nu));

  auto F = deformation_gradient();
  auto log_J = log(det(F));
  return 0.5 * mu * (squared_norm(F) - 3) - mu * log_J + 0.5 * lambda * square(log_J);
}
