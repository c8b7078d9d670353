// compile: the first needs as many columns as the second has rows
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  auto A = rows(F.row(0), F.row(1));
  return squared_norm(A * A);  // wrong
}
