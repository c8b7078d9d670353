// trace: energy 'wrong' is not symmetric in these eigenvalues
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  auto l = symmetric_eigenvalues(transpose(F) * F);  // wrong
  return l[0] + 2 * l[1] + l[2];
}
