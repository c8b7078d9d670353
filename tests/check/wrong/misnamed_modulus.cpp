// The shear modulus is called Young's.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(misnamed_modulus) {
  auto E = parameter("E", pascal, 3e4).positive();
  auto F = deformation_gradient();
  auto log_J = log(det(F));
  return 0.5 * E * (squared_norm(F) - 3) - E * log_J + E * square(log_J);
}
