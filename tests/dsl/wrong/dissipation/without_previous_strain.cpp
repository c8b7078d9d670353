// trace: dissipation 'wrong' does not depend on the previous strain
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_DISSIPATION(wrong) {  // wrong
  auto eta = parameter("eta", pascal_second, 1);
  return eta * squared_norm(deformation_gradient());
}
