// compile: lamda
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto lambda = parameter("lambda", pascal, 1e5);
  return lamda * square(det(deformation_gradient()) - 1);  // wrong
}
