// trace: the eigenvectors of this decomposition are used
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  auto e = symmetric_eigen(transpose(F) * F);  // wrong
  return square(e.vectors(0, 0));
}
