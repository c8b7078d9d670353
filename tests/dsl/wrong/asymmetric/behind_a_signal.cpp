// trace: energy 'wrong' is not symmetric in these singular values
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto a = signal("activation", dimensionless, 0);
  auto s = singular_values(deformation_gradient());  // wrong
  return squared_norm(s) + a * s[0];
}
