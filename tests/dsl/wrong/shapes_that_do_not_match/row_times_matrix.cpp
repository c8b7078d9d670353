// compile: a vector is a column: write transpose(A) * v
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  auto a = direction("fibre");
  return squared_norm(a * F);  // wrong
}
