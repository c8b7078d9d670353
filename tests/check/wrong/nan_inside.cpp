// A root of what is negative for ordinary stretches, and nothing that keeps elements from them.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(nan_inside) {
  auto mu = parameter("mu", pascal, 3e4).positive();
  auto F = deformation_gradient();
  auto I1 = squared_norm(F);
  auto limited = sqrt(4.5 - I1);
  return 0.5 * mu * (I1 - 3 - 2 * log(det(F))) * limited + mu * square(log(det(F)));
}
