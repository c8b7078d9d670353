// Metal plasticity with linear hardening in principal logarithmic strains: the return mapping of Simo, "Algorithms for
// Static and Dynamic Multiplicative Plasticity that Preserve the Classical Return Mapping Schemes of the Infinitesimal
// Theory" (1992), written as the incremental potential of Ortiz and Stainier, "The Variational Formulation of
// Viscoplastic Constitutive Updates" (1999): what a step minimises holds the plastic flow of that step, so the stress
// never leaves the yield surface. The history is the inverse of the plastic deformation and the accumulated plastic
// strain.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(von_mises_plasticity) {
  auto E = parameter("E", pascal, 1e7).positive();                        // Young's modulus
  auto nu = parameter("nu", dimensionless, 0.3).between(-1, 0.5);         // Poisson's ratio
  auto yield_stress = parameter("yield_stress", pascal, 1e5).positive();  // in uniaxial tension
  auto hardening = parameter("hardening", pascal, 1e6).above(-1);         // per plastic strain; 0: perfect plasticity
  auto mu = E / (2 * (1 + nu));
  auto kappa = E / (3 * (1 - 2 * nu));

  auto plastic_inverse = history("plastic_inverse", identity());
  auto plastic_strain = history("plastic_strain", 0);

  // The elastic strain if there were no flow in this step.
  auto F = deformation_gradient();
  auto trial = svd(F * plastic_inverse);
  auto e = vector(log(trial.sigma[0]), log(trial.sigma[1]), log(trial.sigma[2]));
  auto volume = e[0] + e[1] + e[2];
  auto deviator = e - volume / 3 * vector(1, 1, 1);

  // The deviatoric stress 2 mu |deviator| may be sqrt(2/3) of the uniaxial yield stress.
  auto size = norm(deviator);
  auto limit = __builtin_sqrt(2.0 / 3) * (yield_stress + hardening * plastic_strain);
  auto yields = 2 * mu * size > limit;
  auto flow = (2 * mu * size - limit) / (2 * mu + 2.0 / 3 * hardening);

  auto stretches = vector(exp(e[0] - flow * deviator[0] / size), exp(e[1] - flow * deviator[1] / size),
                          exp(e[2] - flow * deviator[2] / size));
  update(plastic_inverse, select(yields, inverse(F) * compose(trial, stretches), plastic_inverse));
  update(plastic_strain, plastic_strain + select(yields, __builtin_sqrt(2.0 / 3) * flow, 0));

  auto elastic = mu * squared_norm(deviator);
  auto plastic = mu * square(size - flow) + limit * flow + hardening / 3 * square(flow);
  return 0.5 * kappa * square(volume) + select(yields, plastic, elastic);
}
