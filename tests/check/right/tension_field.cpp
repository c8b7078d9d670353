// A membrane that wrinkles rather than bears compression: Pipkin, "The Relaxed Energy Density for Isotropic Elastic
// Membranes" (1986), of the incompressible Neo-Hookean one. Taut, wrinkled and slack meet at rest.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(tension_field) {
  auto mu = parameter("mu", newton_per_metre, 1e3).positive();
  auto F = surface_deformation_gradient();
  auto C = transpose(F) * F;
  auto half = 0.5 * trace(C);
  auto apart = sqrt(square(0.5 * (C(0, 0) - C(1, 1))) + square(C(0, 1)));
  auto larger = half + apart, smaller = half - apart;  // squares of the stretches
  auto taut = trace(C) + 1 / det(C) - 3, wrinkled = larger + 2 / sqrt(larger) - 3;
  return 0.5 * mu * select(smaller >= 1 / sqrt(larger), taut, select(larger > 1, wrinkled, 0));
}
