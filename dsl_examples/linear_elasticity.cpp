// Linear elasticity: Sifakis and Barbic, "FEM Simulation of 3D Deformable Solids" (SIGGRAPH course, 2012), section 3.2.
// The law that all others are compared with. For small rotations only: a body that turns as a whole is under stress.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(linear_elasticity) {
  auto E = parameter("E", pascal, 1e5).positive();                 // Young's modulus
  auto nu = parameter("nu", dimensionless, 0.4).between(-1, 0.5);  // Poisson's ratio
  auto mu = E / (2 * (1 + nu));
  auto lambda = E * nu / ((1 + nu) * (1 - 2 * nu));

  auto strain = symmetric_part(deformation_gradient()) - identity();
  return mu * squared_norm(strain) + 0.5 * lambda * square(trace(strain));
}
