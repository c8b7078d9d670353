// compile: a matrix of given entries is rows(
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  const Mat<3, 3> rest{1, 0, 0, 0, 1, 0, 0, 0, 1};  // wrong
  return squared_norm(F - rest);
}
