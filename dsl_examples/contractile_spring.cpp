// A contractile fibre along an edge: Rojas, Sifakis and Kavan, "Differentiable Implicit Soft-Body Physics" (2021),
// equation 2. The signal is the length it wants to have, as a part of its length at rest: 1 is relaxed, less is
// contracted. Shorter fibres of the same k pull harder, as in the paper.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(contractile_spring) {
  auto k = parameter("k", joule, 1).positive();
  auto a = signal("action", dimensionless, 1).positive();
  auto length = norm(edge_vector());
  return 0.5 * k * square(length / (a * rest_length()) - 1);
}
