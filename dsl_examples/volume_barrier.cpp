// The volume barrier of DiffPhD, equation 16: a logarithm of the change of volume without a deviatoric part, so that it
// can be added to a corotated energy without counting shear twice. Infinite as the volume goes to zero. Alone it
// resists no change of shape; `corotated_with_barrier` is the pair, a material that cannot invert.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(volume_barrier) {
  auto lambda = parameter("lambda", pascal, 1e5).positive();
  return 0.5 * lambda * square(log(det(deformation_gradient())));
}

PROXIMA_ENERGY(corotated_with_barrier) {
  auto E = parameter("E", pascal, 1e5).positive();                // Young's modulus
  auto nu = parameter("nu", dimensionless, 0.4).between(0, 0.5);  // Poisson's ratio
  auto mu = E / (2 * (1 + nu));
  auto lambda = E * nu / ((1 + nu) * (1 - 2 * nu));

  auto F = deformation_gradient();
  return mu * squared_norm(F - polar_rotation(F)) + 0.5 * lambda * square(log(det(F)));
}
