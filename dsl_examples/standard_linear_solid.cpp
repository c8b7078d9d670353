// A solid that relaxes: a spring beside a spring and a damper in series, Simo, "On a Fully Three-Dimensional
// Finite-Strain Viscoelastic Damage Model" (1987), here for the Green strain, for polymers and soft tissue that creep.
// The history is the strain of the damper. What a step minimises holds the flow of that step, as in Ortiz and Stainier,
// "The Variational Formulation of Viscoplastic Constitutive Updates" (1999): the smallest over the new viscous strain
// A' of mu_v |strain - A'|^2 + mu_v tau / h |A' - A|^2.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(standard_linear_solid) {
  auto E = parameter("E_relaxed", pascal, 1e5).positive();                 // Young's modulus after a long time
  auto nu = parameter("nu_relaxed", dimensionless, 0.4).between(-1, 0.5);  // Poisson's ratio after a long time
  auto mu_v = parameter("mu_v", pascal, 5e4).positive();                   // shear modulus that relaxes
  auto tau = parameter("tau", second, 0.2).positive();                     // time in which it does
  auto mu = E / (2 * (1 + nu));
  auto lambda = E * nu / ((1 + nu) * (1 - 2 * nu));

  auto F = deformation_gradient();
  auto strain = 0.5 * (transpose(F) * F - identity());
  auto A = history("viscous_strain", Mat<3, 3>());
  auto r = time_step() / tau;
  update(A, A + r / (1 + r) * (strain - A));
  return mu * squared_norm(strain) + 0.5 * lambda * square(trace(strain)) + mu_v / (1 + r) * squared_norm(strain - A);
}
