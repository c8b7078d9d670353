// Hencky's solid: Hooke's law for the logarithmic strain; Bonet and Wood, "Nonlinear Continuum Mechanics for Finite
// Element Analysis" (2008), section 6.6. Stretching to twice and squeezing to half the length cost the same. The
// elastic part of most laws of finite plasticity; for moderate stretches, since its stress falls again beyond a stretch
// of e.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ISOTROPIC(hencky) {
  auto E = parameter("E", pascal, 1e5).positive();                 // Young's modulus
  auto nu = parameter("nu", dimensionless, 0.4).between(-1, 0.5);  // Poisson's ratio
  auto mu = E / (2 * (1 + nu));
  auto lambda = E * nu / ((1 + nu) * (1 - 2 * nu));

  auto e1 = log(s1), e2 = log(s2), e3 = log(s3);
  return mu * (square(e1) + square(e2) + square(e3)) + 0.5 * lambda * square(e1 + e2 + e3);
}
