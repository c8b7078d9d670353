// trace: history 'k' is declared twice; the first time as a parameter
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto a = parameter("k", pascal, 1);
  auto b = history("k", 0);  // wrong
  update(b, b + 1);
  return (a + b) * squared_norm(deformation_gradient());
}
