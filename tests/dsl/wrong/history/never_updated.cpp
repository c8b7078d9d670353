// trace: history 'plastic' is never updated; write update(
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto Fp = history("plastic", identity());  // wrong
  return squared_norm(deformation_gradient() * Fp);
}
