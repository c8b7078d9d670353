// trace: the initial value of history 'k' must be made of plain numbers
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto a = parameter("a", dimensionless, 1);
  auto k = history("k", vector(a, 0));  // wrong
  update(k, 2 * k);
  return k[0] * squared_norm(deformation_gradient());
}
