// trace: parameter 'mu' is declared twice; the first time at
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto a = parameter("mu", pascal, 1);
  auto b = parameter("mu", pascal, 2);  // wrong
  return (a + b) * squared_norm(deformation_gradient());
}
