// Ogden's rubber with three terms: Holzapfel, "Nonlinear Solid Mechanics" (2000), section 6.5, for the stretches
// without their change of volume, and the volumetric part of Simo and Miehe (1992). More terms are more lines
// in the table. The defaults are the moduli with which Ogden (1972) fitted Treloar's experiments on vulcanised rubber.
// The shear modulus is half the sum of mu alpha, 0.42 MPa.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ISOTROPIC(ogden) {
  struct Term {
    Scalar mu, alpha;
  };
  const Term terms[] = {
      {parameter("mu1", pascal, 6.3e5), parameter("alpha1", dimensionless, 1.3)},
      {parameter("mu2", pascal, 0.012e5), parameter("alpha2", dimensionless, 5)},
      {parameter("mu3", pascal, -0.1e5), parameter("alpha3", dimensionless, -2)},
  };
  auto kappa = parameter("kappa", pascal, 1e7).positive();  // bulk modulus

  auto J = s1 * s2 * s3;
  auto c = cbrt(J);
  Scalar psi = 0.25 * kappa * (square(J) - 1 - 2 * log(J));
  for (const auto& [mu, alpha] : terms)
    psi += mu / alpha * (pow(s1 / c, alpha) + pow(s2 / c, alpha) + pow(s3 / c, alpha) - 3);
  return psi;
}
