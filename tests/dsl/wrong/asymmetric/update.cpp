// trace: the update of history 'stretch' is not symmetric
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  auto s = singular_values(F);  // wrong
  auto stretch = history("stretch", 1);
  update(stretch, s[0]);
  return stretch * squared_norm(F);
}
