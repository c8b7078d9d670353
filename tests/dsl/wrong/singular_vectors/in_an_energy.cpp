// trace: U or V of this decomposition are used
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto s = svd(deformation_gradient());  // wrong
  return trace(s.U * transpose(s.V));
}
