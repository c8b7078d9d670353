// The term -2 mu log J that makes the rest state free of stress is missing.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(stress_at_rest) {
  auto mu = parameter("mu", pascal, 3e4).positive();
  auto F = deformation_gradient();
  return 0.5 * mu * (squared_norm(F) - 3) + mu * square(log(det(F)));
}
