// Stable Neo-Hookean solid: Smith, de Goes and Kim, "Stable Neo-Hookean Flesh Simulation" (2018), without its
// logarithmic term. Finite for every F, inverted ones too, and stress-free at rest.
// Its small-strain Lame parameters are mu and lambda_model - mu, so lambda_model = lambda + mu makes E and nu exact.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(stable_neo_hookean) {
  auto E = parameter("E", pascal, 1e5).positive();                 // Young's modulus
  auto nu = parameter("nu", dimensionless, 0.4).between(-1, 0.5);  // Poisson's ratio
  auto mu = E / (2 * (1 + nu));
  auto lambda = E * nu / ((1 + nu) * (1 - 2 * nu)) + mu;
  auto alpha = 1 + mu / lambda;

  auto F = deformation_gradient();
  auto J = det(F);
  return 0.5 * mu * (squared_norm(F) - 3) + 0.5 * lambda * square(J - alpha);
}
