// Corotated linear elasticity: Sifakis and Barbic, "FEM Simulation of 3D Deformable Solids" (SIGGRAPH course, 2012),
// section 3.4. Hooke's law for the stretch that is left when the rotation is taken out. Finite for every F, with a
// stress wherever the rotation is unique (sigma_2 + sigma_3 > 0: all but flat-folded and mirrored elements; arap.cpp,
// written as a projection, has one there too). Its resistance to a change of volume is weak under large compression.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(corotated) {
  auto E = parameter("E", pascal, 1e5).positive();                 // Young's modulus
  auto nu = parameter("nu", dimensionless, 0.4).between(-1, 0.5);  // Poisson's ratio
  auto mu = E / (2 * (1 + nu));
  auto lambda = E * nu / ((1 + nu) * (1 - 2 * nu));

  auto F = deformation_gradient();
  auto R = polar_rotation(F);
  return mu * squared_norm(F - R) + 0.5 * lambda * square(dot(R, F) - 3);  // R : F is the trace of the stretch
}
