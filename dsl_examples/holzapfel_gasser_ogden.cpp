// Artery wall with two families of collagen fibres: Holzapfel, Gasser and Ogden, "A New Constitutive Framework for
// Arterial Wall Mechanics and a Comparative Study of Material Models" (2000), with the defaults of the media of a
// rabbit's carotid artery (table there). Fibres carry tension only. Their stretch is taken of F, not of its part
// without change of volume, since otherwise a compressible wall swells under tension (Nolan et al. 2014).
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(holzapfel_gasser_ogden) {
  auto c = parameter("c", pascal, 3e3).positive();              // shear modulus of the ground substance
  auto k1 = parameter("k1", pascal, 2363.2).positive();         // stiffness of the fibres
  auto k2 = parameter("k2", dimensionless, 0.8393).positive();  // their rate of stiffening
  auto kappa = parameter("kappa", pascal, 1e5).positive();      // bulk modulus

  auto F = deformation_gradient();
  auto J = det(F);
  // 29 degrees to both sides of the circumference, here the axis y, the wall's axis being z.
  const Vec<3> families[] = {direction("fibre1", {0, 0.87462, 0.48481}), direction("fibre2", {0, 0.87462, -0.48481})};

  Scalar psi = 0.5 * c * (squared_norm(F) / square(cbrt(J)) - 3) + 0.25 * kappa * (square(J) - 1 - 2 * log(J));
  for (const Vec<3>& a : families) {
    auto elongation = max(squared_norm(F * a) - 1, 0);
    psi += k1 / (2 * k2) * expm1(k2 * square(elongation));
  }
  return psi;
}
