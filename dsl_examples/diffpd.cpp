// The background elasticity of DiffPD: Du, Wu, Ma, Wah, Spielberg, Rus and Matusik, "DiffPD: Differentiable Projective
// Dynamics" (2021), supplement, equations 1 and 2, after Min et al. (2019). A distance to the rotations and a distance
// to the matrices of determinant 1: each alone is an energy with an exact projection, the sum is the material. A small
// strain is tr(strain) / sqrt(3) away from determinant 1, so the weight 3 lambda makes E and nu exact.
// The volume part gives way beyond a stretch of 1.89 in all directions, where the closest matrix of determinant 1 is no
// longer a multiple of the identity.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(diffpd_corotated) {
  auto mu = parameter("mu", pascal, 4e4).positive();
  auto F = deformation_gradient();
  return projection(2 * mu, F, closest_rotation(F));
}

PROXIMA_ENERGY(diffpd_volume) {
  auto lambda = parameter("lambda", pascal, 1e5).positive();
  auto F = deformation_gradient();
  return projection(3 * lambda, F, closest_with_determinant(F, 1));
}

PROXIMA_ENERGY(diffpd) {
  auto E = parameter("E", pascal, 1e5).positive();                // Young's modulus
  auto nu = parameter("nu", dimensionless, 0.4).between(0, 0.5);  // Poisson's ratio
  auto mu = E / (2 * (1 + nu));
  auto lambda = E * nu / ((1 + nu) * (1 - 2 * nu));

  auto F = deformation_gradient();
  return projection(2 * mu, F, closest_rotation(F)) + projection(3 * lambda, F, closest_with_determinant(F, 1));
}
