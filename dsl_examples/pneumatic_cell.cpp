// A pneumatic cell: Qiao, Liang, Koltun and Lin, "Differentiable Simulation of Soft Multi-Body Systems" (2021),
// equations 39 and 40. It wants to have a times its volume at rest, a being the signal: an exact projection. It does
// not mind how it is sheared; `pneumatic_body` is a cell in corotated walls.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(pneumatic_cell) {
  auto k = parameter("k", pascal, 1e5).positive();
  auto a = signal("inflation", dimensionless, 1).positive();  // volume by volume at rest
  auto F = deformation_gradient();
  return projection(k, F, closest_with_determinant(F, a));
}

PROXIMA_ENERGY(pneumatic_body) {
  auto k = parameter("k", pascal, 1e5).positive();
  auto mu = parameter("mu", pascal, 4e4).positive();  // shear modulus of the walls
  auto a = signal("inflation", dimensionless, 1).positive();
  auto F = deformation_gradient();
  return projection(k, F, closest_with_determinant(F, a)) + projection(2 * mu, F, closest_rotation(F));
}
