// trace: energy 'wrong' is not symmetric in these singular values
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto s = singular_values(deformation_gradient());  // wrong
  return square(s[0] - 1);
}
