// The flat ground of Rojas, Sifakis and Kavan, "Differentiable Implicit Soft-Body Physics" (2021), section 5.2, at
// z = 0, for single nodes. `ground` (equation 15) pushes back what has sunk in; `friction` (equation 17) slows what
// slides, the more the deeper it was at the start of the step: the deeper, the greater the load.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(ground) {
  auto k = parameter("k", newton_per_metre, 1000).positive();
  auto x = node_positions<1>();
  return 0.5 * k * square(max(-x[0][2], 0));
}

PROXIMA_DISSIPATION(friction) {
  auto c = parameter("c", dimensionless, 1000).positive();  // N s/m per metre of depth
  auto margin = parameter("margin", metre, 1e-4).positive();
  auto x = node_positions<1>();
  auto v = rate(x[0]);
  return 0.5 * c * max(margin - previous(x[0][2]), 0) * (square(v[0]) + square(v[1]));
}
