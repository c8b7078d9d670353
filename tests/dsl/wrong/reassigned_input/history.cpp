// compile: update(history, new_value)
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto hardening = history("hardening", 0);
  hardening = hardening + 1;  // wrong
  return hardening * squared_norm(deformation_gradient());
}
