// Soft tissue that stiffens exponentially: an isotropic form of the law in Fung, "Biomechanics" (1993),
// Psi = mu / (2 b) (exp(b (I1 - 3)) - 1) with the deviatoric first invariant, plus a penalty of the volume.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(fung) {
  auto mu = parameter("mu", pascal, 2e4).positive();        // shear modulus at rest
  auto b = parameter("b", dimensionless, 2).positive();     // rate of stiffening
  auto kappa = parameter("kappa", pascal, 2e5).positive();  // bulk modulus

  auto F = deformation_gradient();
  auto J = det(F);
  auto I1 = squared_norm(F) / square(cbrt(J));
  return mu / (2 * b) * expm1(b * (I1 - 3)) + 0.5 * kappa * square(log(J));
}
