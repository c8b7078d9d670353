// trace: signal 'a' is declared twice; the first time as a parameter at
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto a = parameter("a", pascal, 1);
  auto b = signal("a", pascal, 2);  // wrong
  return (a + b) * squared_norm(deformation_gradient());
}
