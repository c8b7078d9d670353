// Membranes in plane stress: St. Venant-Kirchhoff, as in Bonet and Wood, "Nonlinear Continuum Mechanics for Finite
// Element Analysis" (2008), chapter 6, with the moduli of plane stress; and its orthotropic form for woven cloth and
// laminates, Jones, "Mechanics of Composite Materials" (1999), chapter 2. They resist stretch and shear in the plane,
// not bending: see discrete_shell_bending.cpp.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

namespace {
Mat<2, 2> green_strain() {
  auto F = surface_deformation_gradient();
  return 0.5 * (transpose(F) * F - identity<2>());
}
}  // namespace

PROXIMA_ENERGY(membrane) {
  auto thickness = parameter("thickness", metre, 1e-3).positive();
  auto E = parameter("E", pascal, 1e6).positive();               // Young's modulus
  auto nu = parameter("nu", dimensionless, 0.3).between(-1, 1);  // Poisson's ratio
  auto G = green_strain();
  return thickness * E / (2 * (1 - square(nu))) * ((1 - nu) * squared_norm(G) + nu * square(trace(G)));
}

PROXIMA_ENERGY(orthotropic_membrane) {
  auto thickness = parameter("thickness", metre, 1e-3).positive();
  auto E1 = parameter("E_warp", pascal, 2e6).positive();
  auto E2 = parameter("E_weft", pascal, 1e6).positive();
  auto nu12 = parameter("nu", dimensionless, 0.2).between(-0.5, 0.5);  // shrinks across when stretched along the warp
  auto shear = parameter("G", pascal, 1e5).positive();

  // Of a membrane's direction fields the first two components are in its plane, along the axes of X.
  auto warp = direction("warp", {1, 0, 0});
  auto a = normalized(vector(warp[0], warp[1]));
  auto b = vector(-a[1], a[0]);
  auto G = green_strain();
  auto G11 = dot(a, G * a), G22 = dot(b, G * b), G12 = dot(a, G * b);

  auto nu21 = nu12 * E2 / E1;
  auto plane = E1 * square(G11) + E2 * square(G22) + 2 * nu12 * E2 * G11 * G22;
  return thickness * (plane / (2 * (1 - nu12 * nu21)) + 2 * shear * square(G12));
}
