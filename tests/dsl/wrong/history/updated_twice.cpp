// trace: history 'plastic' is updated twice; the first time at
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  auto Fp = history("plastic", identity());
  update(Fp, F);
  update(Fp, F * Fp);  // wrong
  return squared_norm(F * Fp);
}
