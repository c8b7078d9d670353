// compile: a vector of given components is vector(x, y, z)
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto F = deformation_gradient();
  Vec<3> axis = {1, 0, 0};  // wrong
  return squared_norm(F * axis);
}
